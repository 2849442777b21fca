// SPDX-License-Identifier: MIT
// A form for any part of the scenario, made from the schema's own descriptions: sentence, unit, range and default are the engine's.
import { useState } from 'preact/hooks';
import { type Field, fields_of, type NameSource, range_problem, schema_at } from '../edit/schema';
import type { Json, JsonObject, Problem } from '../protocol/messages';
import { get_at, is_object, pointer_of } from '../state/json';
import { use_signal } from '../state/signal';
import { use_app } from './context';

const kBuiltIn: Partial<Record<NameSource, string[]>> = {
  kinds: ['adult', 'child', 'elderly', 'wheelchair'],
  models: ['reactive', 'reactive_2004', 'reynolds', 'linear', 'short_term', 'short_term_2008', 'continuum', 'rules'],
};

export function names_of(scenario: JsonObject, source: NameSource): string[] {
  const own = get_at(scenario, `/${source}`);
  const names = is_object(own) ? Object.keys(own) : [];
  if (source === 'areas' || source === 'profiles') {
    const listed = get_at(scenario, `/scene/${source}`);
    if (Array.isArray(listed)) names.push(...listed.flatMap((one) => (is_object(one) && typeof one['name'] === 'string' ? [one['name']] : [])));
  }
  return [...new Set([...(kBuiltIn[source] ?? []), ...names])];
}

export function SchemaForm({ pointer, hide = [] }: { pointer: string; hide?: readonly string[] }) {
  const { studio } = use_app();
  const schema = use_signal(studio.schema);
  const scenario = use_signal(studio.history.current);
  const problems = use_signal(studio.problems);
  const [more, set_more] = useState(false);
  if (!schema) return null;
  const value = get_at(scenario, pointer);
  const fields = fields_of(schema, schema_at(schema, scenario, pointer)).filter((field) => !hide.includes(field.key));
  const is_set = (field: Field) => is_object(value) && value[field.key] !== undefined;
  const shown = fields.filter((field) => more || is_set(field) || field.required);
  const rest = fields.length - fields.filter((field) => is_set(field) || field.required).length;
  return (
    <div class="form">
      {shown.map((field) => <FieldRow key={`${pointer}/${field.key}`} field={field} pointer={pointer + pointer_of(field.key)} problems={problems} />)}
      {rest > 0 && <button class="more" onClick={() => set_more(!more)}>{more ? 'Only what is set' : `${rest} more settings`}</button>}
    </div>
  );
}

export function FieldRow({ field, pointer, problems }: { field: Field; pointer: string; problems: readonly Problem[] }) {
  const { studio } = use_app();
  const scenario = use_signal(studio.history.current);
  const value = get_at(scenario, pointer);
  const id = `field${pointer.replaceAll(/[^\w]/g, '-')}`;
  const wrong = problems.filter((problem) => problem.pointer === pointer || problem.pointer?.startsWith(`${pointer}/`));
  const is_typed = ['number', 'integer', 'quantity', 'text', 'json', 'weights'].includes(field.type);
  const set = (next: Json | undefined) => (is_typed ? studio.set(pointer, next, field.title) : studio.choose(pointer, next, field.title));
  return (
    <div class={wrong.length ? 'field wrong' : 'field'} onFocusOut={() => studio.history.settle()}>
      <label for={id} title={field.words}>{field.title}</label>
      <div class="input">
        <FieldInput id={id} field={field} value={value} set={set} />
        {field.unit && <span class="unit">{field.unit}</span>}
      </div>
      <p class="words" id={`${id}-words`}>{field.words}</p>
      {wrong.map((problem, i) => {
        const fix = studio.fix_of(problem);
        return (
          <p key={i} class="error" role="alert">
            {problem.what}{problem.allowed ? `; ${problem.allowed}` : ''} {fix ? <button class="fix" onClick={fix.apply}>{fix.words}</button> : problem.fix && <span>({problem.fix})</span>}
          </p>
        );
      })}
    </div>
  );
}

interface InputProps {
  id: string;
  field: Field;
  value: Json | undefined;
  set: (next: Json | undefined) => void;
}

function FieldInput({ id, field, value, set }: InputProps) {
  switch (field.type) {
    case 'number':
    case 'integer':
      return <NumberInput id={id} field={field} value={value} set={set} />;
    case 'quantity':
      return typeof value === 'object' && value !== null ? <JsonInput id={id} field={field} value={value} set={set} /> : <NumberInput id={id} field={field} value={value} set={set} />;
    case 'boolean':
      return <input id={id} type="checkbox" aria-describedby={`${id}-words`} checked={typeof value === 'boolean' ? value : field.default === true} onChange={(event) => set(event.currentTarget.checked)} />;
    case 'choice':
      return <Choice id={id} names={field.choices} value={value} unset={String(field.default ?? '–')} set={set} />;
    case 'text':
      return <input id={id} type="text" aria-describedby={`${id}-words`} value={typeof value === 'string' ? value : ''} onInput={(event) => set(event.currentTarget.value || undefined)} />;
    case 'name':
    case 'weights':
      return <NameInput id={id} field={field} value={value} set={set} />;
    case 'json':
      return <JsonInput id={id} field={field} value={value} set={set} />;
  }
}

function NumberInput({ id, field, value, set }: InputProps) {
  const [wrong, set_wrong] = useState<string | null>(null);
  const range = 'minimum' in field ? field : null;
  const fallback = field.default === undefined || field.default === null || typeof field.default === 'object' ? '' : String(field.default);
  const take = (text: string) => {
    if (text.trim() === '') {
      set_wrong(null);
      set(undefined);
      return;
    }
    const number = Number(text);
    const problem = Number.isFinite(number) ? range_problem(field, number) : 'a number';
    set_wrong(problem);
    if (problem === null) set(number);
  };
  return (
    <>
      <input
        id={id} type="number" step="any" aria-describedby={`${id}-words`} aria-invalid={wrong !== null} placeholder={fallback}
        min={range?.minimum} max={range?.maximum} value={typeof value === 'number' ? value : ''} onInput={(event) => take(event.currentTarget.value)}
      />
      {wrong !== null && <span class="error">{wrong}</span>}
    </>
  );
}

function Choice({ id, names, value, unset, set }: { id: string; names: string[]; value: Json | undefined; unset: string; set: InputProps['set'] }) {
  const current = typeof value === 'string' ? value : '';
  const all = current && !names.includes(current) ? [...names, current] : names;
  return (
    <select id={id} aria-describedby={`${id}-words`} value={current} onChange={(event) => set(event.currentTarget.value || undefined)}>
      <option value="">{unset}</option>
      {all.map((name) => <option key={name} value={name}>{name}</option>)}
    </select>
  );
}

function NameInput({ id, field, value, set }: InputProps) {
  const { studio } = use_app();
  const scenario = use_signal(studio.history.current);
  if (field.type !== 'name' && field.type !== 'weights') return null;
  const names = names_of(scenario, field.of);
  if (field.type === 'weights' && is_object(value)) {
    return (
      <div class="weights">
        {names.map((name) => (
          <label key={name}>
            <span>{name}</span>
            <input type="number" min="0" step="any" placeholder="0" value={typeof value[name] === 'number' ? (value[name] as number) : ''} onInput={(event) => {
              const text = event.currentTarget.value;
              const { [name]: _old, ...others } = value;
              set(text === '' ? others : { ...others, [name]: Number(text) });
            }} />
          </label>
        ))}
        <button class="more" onClick={() => set(Object.keys(value)[0])}>One only</button>
      </div>
    );
  }
  return (
    <>
      <Choice id={id} names={names} value={value} unset="–" set={set} />
      {field.type === 'weights' && <button class="more" onClick={() => set({ [typeof value === 'string' ? value : (names[0] ?? 'adult')]: 1 })}>Mix</button>}
    </>
  );
}

function JsonInput({ id, field, value, set }: InputProps) {
  const [draft, set_draft] = useState<string | null>(null);
  const [wrong, set_wrong] = useState(false);
  const text = draft ?? (value === undefined ? '' : JSON.stringify(value));
  const take = (next: string) => {
    set_draft(next);
    if (next.trim() === '') {
      set_wrong(false);
      set(undefined);
      return;
    }
    try {
      set(JSON.parse(next) as Json);
      set_wrong(false);
    } catch {
      set_wrong(true);
    }
  };
  return (
    <>
      <textarea id={id} rows={Math.min(6, 1 + Math.floor(text.length / 30))} spellcheck={false} aria-describedby={`${id}-words`} aria-invalid={wrong} placeholder={field.default === undefined ? '' : JSON.stringify(field.default)} value={text} onInput={(event) => take(event.currentTarget.value)} onBlur={() => !wrong && set_draft(null)} />
      {wrong && <span class="error">not JSON yet</span>}
    </>
  );
}
