// SPDX-License-Identifier: MIT
// What one gives to people: where they go, with whom, how they walk, and who goes first. The rest of a crowd's settings is in its form.
import { plan_to } from '../edit/create';
import { fields_of, schema_at } from '../edit/schema';
import type { Json, JsonObject } from '../protocol/messages';
import { get_at, is_object, pointer_of, set_at } from '../state/json';
import { use_signal } from '../state/signal';
import { use_app } from './context';
import { FieldRow, names_of } from './form';
import { Icon } from './icons';

/** Keys that are edited here and not in the form below. */
export const kCrowdKeys = ['plan', 'groups', 'model', 'priority'];
const kGroupSizes = [['1', 'alone'], ['2', 'pairs'], ['3', 'threes'], ['4', 'fours']] as const;

export function CrowdSettings({ pointer }: { pointer: string }) {
  const { studio } = use_app();
  const schema = use_signal(studio.schema);
  const scenario = use_signal(studio.history.current);
  const problems = use_signal(studio.problems);
  if (!schema) return null;
  const fields = fields_of(schema, schema_at(schema, scenario, pointer));
  const row = (key: string) => {
    const field = fields.find((one) => one.key === key);
    return field && <FieldRow key={key} field={field} pointer={pointer + pointer_of(key)} problems={problems} />;
  };
  const priority = get_at(scenario, `${pointer}/priority`);
  return (
    <div class="form crowd">
      <Goal pointer={pointer} />
      <Groups pointer={pointer} />
      {row('model')}
      {row('priority')}
      {priority !== undefined && priority !== 0 && !goes_by_rules(scenario, get_at(scenario, `${pointer}/model`)) && (
        <p class="advice">Their model does not know priorities. <button class="fix" onClick={() => studio.choose(`${pointer}/model`, 'rules', 'walk by rules')}>Walk by rules</button></p>
      )}
    </div>
  );
}

export function goes_by_rules(scenario: JsonObject, model: Json | undefined): boolean {
  return model === 'rules' || (typeof model === 'string' && get_at(scenario, pointer_of('models', model, 'base')) === 'rules');
}

function Goal({ pointer }: { pointer: string }) {
  const { studio } = use_app();
  const scenario = use_signal(studio.history.current);
  const plan = get_at(scenario, `${pointer}/plan`);
  const plans = names_of(scenario, 'plans');
  const areas = names_of(scenario, 'areas');
  const choose = (value: string) => {
    if (value === '') studio.edit('no goal', set_at(scenario, `${pointer}/plan`, undefined));
    else if (value.startsWith('plan ')) studio.edit('set plan', set_at(scenario, `${pointer}/plan`, value.slice(5)));
    else if (value.startsWith('area ')) {
      const made = plan_to(scenario, value.slice(5));
      studio.edit('set goal', set_at(made.scenario, `${pointer}/plan`, made.plan));
    }
  };
  return (
    <div class="field">
      <label for="goal">goes to</label>
      <select id="goal" value={typeof plan === 'string' ? `plan ${plan}` : is_object(plan) ? 'several' : ''} onChange={(event) => choose(event.currentTarget.value)}>
        <option value="">nowhere: they stand</option>
        {is_object(plan) && <option value="several">several plans</option>}
        {plans.length > 0 && <optgroup label="Plans">{plans.map((name) => <option key={name} value={`plan ${name}`}>{name}</option>)}</optgroup>}
        {areas.length > 0 && <optgroup label="Areas">{areas.map((name) => <option key={name} value={`area ${name}`}>{name}</option>)}</optgroup>}
      </select>
      <p class="words">Or press G and drag a box: a new goal.</p>
    </div>
  );
}

/** Weights of group sizes; larger ones, which the engine also takes, are kept as they are. */
function Groups({ pointer }: { pointer: string }) {
  const { studio } = use_app();
  const scenario = use_signal(studio.history.current);
  const problems = use_signal(studio.problems).filter((problem) => problem.pointer?.startsWith(`${pointer}/groups`));
  const groups = get_at(scenario, `${pointer}/groups`);
  const weights = is_object(groups) ? groups : {};
  const set = (size: string, text: string) => {
    const { [size]: _old, ...others } = weights;
    const next = text === '' || !(Number(text) > 0) ? others : { ...others, [size]: Number(text) };
    studio.set(`${pointer}/groups`, Object.keys(next).length > 0 ? next : undefined, 'groups');
  };
  return (
    <fieldset class={problems.length ? 'field groups wrong' : 'field groups'}>
      <legend>groups</legend>
      <div class="sizes">
        {kGroupSizes.map(([size, words]) => (
          <label key={size}>
            <span>{words}</span>
            <input type="number" min="0" step="any" placeholder={size === '1' && groups === undefined ? 'all' : '0'} value={typeof weights[size] === 'number' ? (weights[size] as number) : ''} onInput={(event) => set(size, event.currentTarget.value)} />
          </label>
        ))}
      </div>
      <p class="words">How many there are of each, against each other. Members walk side by side and are of different kinds.</p>
      {problems.map((problem, i) => <p key={i} class="error" role="alert">{problem.what} {problem.fix && <span>({problem.fix})</span>}</p>)}
    </fieldset>
  );
}

/** The goals of a plan, one after the other. */
export function PlanGoals({ pointer }: { pointer: string }) {
  const { studio } = use_app();
  const scenario = use_signal(studio.history.current);
  const listed = get_at(scenario, `${pointer}/goals`);
  const goals = Array.isArray(listed) ? listed : [];
  const areas = names_of(scenario, 'areas');
  const set = (next: Json[], label: string) => studio.edit(label, set_at(scenario, `${pointer}/goals`, next));
  const words = (goal: Json): string => (typeof goal === 'string' ? goal : is_object(goal) && typeof goal['area'] === 'string' ? goal['area'] : JSON.stringify(goal));
  return (
    <div class="form">
      <ol class="goals" aria-label="Goals of the plan">
        {goals.map((goal, i) => (
          <li key={`${i} ${words(goal)}`}>
            <span>{words(goal)}</span>
            <button aria-label={`Earlier: ${words(goal)}`} title="Earlier" disabled={i === 0} onClick={() => set([...goals.slice(0, i - 1), goal, goals[i - 1] as Json, ...goals.slice(i + 1)], 'order of goals')}>↑</button>
            <button aria-label={`Take out ${words(goal)}`} title="Take out" onClick={() => set(goals.filter((_, k) => k !== i), 'take out a goal')}><Icon name="close" /></button>
          </li>
        ))}
      </ol>
      {areas.length > 0 && (
        <div class="field">
          <label for="then-to">then to</label>
          <select id="then-to" value="" onChange={(event) => event.currentTarget.value && set([...goals, event.currentTarget.value], 'add a goal')}>
            <option value="">choose an area</option>
            {areas.map((name) => <option key={name} value={name}>{name}</option>)}
          </select>
        </div>
      )}
    </div>
  );
}
