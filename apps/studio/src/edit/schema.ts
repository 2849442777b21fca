// SPDX-License-Identifier: MIT
// The scenario's JSON schema as a description of fields: name, sentence, unit, range, default. Forms are made from this and nothing else.
import type { Json, JsonObject } from '../protocol/messages';
import { get_at, is_object, pointer_parts } from '../state/json';

export type Field = {
  key: string;
  title: string;
  words: string;
  unit: string;
  required: boolean;
  default: Json | undefined;
} & (
  | { type: 'number' | 'integer'; minimum: number | undefined; maximum: number | undefined }
  | { type: 'quantity'; minimum: number | undefined; maximum: number | undefined }
  | { type: 'boolean' }
  | { type: 'choice'; choices: string[] }
  | { type: 'text' }
  | { type: 'name'; of: NameSource }
  | { type: 'weights'; of: NameSource }
  | { type: 'json' }
);

/** What a name refers to, so that a form can offer those there are. */
export type NameSource = 'areas' | 'plans' | 'flows' | 'models' | 'kinds' | 'vehicles' | 'profiles';

const kNames: Record<string, NameSource> = { area: 'areas', plan: 'plans', flow: 'flows', model: 'models', kinds: 'kinds', follow: 'vehicles', profile: 'profiles', base: 'models' };

/** What a reference or a single-element allOf stands for, with the description nearer to the field. */
export function resolved(root: JsonObject, schema: Json | undefined): JsonObject {
  if (!is_object(schema)) return {};
  const reference = schema['$ref'];
  if (typeof reference === 'string') {
    const { $ref: _ref, ...own } = schema;
    return { ...resolved(root, get_at(root, reference.slice(1))), ...own };
  }
  const all = schema['allOf'];
  if (Array.isArray(all) && all.length === 1) {
    const { allOf: _all, ...own } = schema;
    return { ...resolved(root, all[0]), ...own };
  }
  return schema;
}

/** "Length of a step. In s." → the sentence and the unit. */
export function split_unit(description: string): { words: string; unit: string } {
  const match = /^(.*?)\s*In ([^.]+)\.$/s.exec(description);
  return match ? { words: match[1] as string, unit: match[2] as string } : { words: description, unit: '' };
}

function options_of(root: JsonObject, schema: JsonObject): JsonObject[] {
  const any = schema['anyOf'] ?? schema['oneOf'];
  return Array.isArray(any) ? any.map((one) => resolved(root, one)) : [];
}

function bound(schema: JsonObject, key: 'minimum' | 'maximum'): number | undefined {
  const value = schema[key];
  return typeof value === 'number' ? value : undefined;
}

function field_of(root: JsonObject, key: string, raw: Json, required: boolean): Field | null {
  if (raw === true || key === 'comment' || key === '$schema' || key === 'throng_scenario') return null;
  const schema = resolved(root, raw);
  const { words, unit } = split_unit(String(schema['description'] ?? ''));
  const base = { key, title: key.replaceAll('_', ' '), words, unit, required, default: schema['default'] };
  const options = options_of(root, schema);
  const number = options.find((one) => one['type'] === 'number');
  const is_quantity = number !== undefined && options.some((one) => is_object(one['properties']) && 'uniform' in one['properties']);
  if (is_quantity) return { ...base, type: 'quantity', minimum: bound(number, 'minimum'), maximum: bound(number, 'maximum') };
  if (schema['type'] === 'number' || schema['type'] === 'integer') {
    return { ...base, type: schema['type'], minimum: bound(schema, 'minimum'), maximum: bound(schema, 'maximum') };
  }
  if (schema['type'] === 'boolean') return { ...base, type: 'boolean' };
  const choices = schema['enum'];
  if (Array.isArray(choices) && choices.every((one): one is string => typeof one === 'string')) return { ...base, type: 'choice', choices };
  const source = kNames[key];
  if (source && options.some((one) => one['type'] === 'object' && is_object(one['additionalProperties']))) return { ...base, type: 'weights', of: source };
  if (source && schema['type'] === 'string') return { ...base, type: 'name', of: source };
  if (schema['type'] === 'string') return { ...base, type: 'text' };
  return { ...base, type: 'json' };
}

/** Of a schema with alternatives (motion models), the one that fits the value's `base`. */
function alternative(root: JsonObject, schema: JsonObject, value: Json | undefined): JsonObject {
  const options = options_of(root, schema).filter((one) => is_object(one['properties']));
  if (is_object(schema['properties']) || options.length === 0) return schema;
  const base = is_object(value) ? value['base'] : undefined;
  const fits = options.find((one) => {
    const property = resolved(root, get_at(one, '/properties/base'));
    return property['const'] === base || (Array.isArray(property['enum']) && property['enum'].includes(base ?? null));
  });
  return fits ?? (options[0] as JsonObject);
}

/** The schema of what is at a pointer of the scenario. */
export function schema_at(root: JsonObject, scenario: Json, pointer: string): JsonObject {
  let schema = resolved(root, root);
  let value: Json | undefined = scenario;
  for (const part of pointer_parts(pointer)) {
    schema = alternative(root, schema, value);
    const properties = schema['properties'];
    const inner = is_object(properties) && part in properties ? properties[part] : (schema['additionalProperties'] ?? schema['items']);
    schema = resolved(root, inner);
    value = Array.isArray(value) ? value[Number(part)] : is_object(value) ? value[part] : undefined;
  }
  return alternative(root, schema, value);
}

export function fields_of(root: JsonObject, schema: JsonObject): Field[] {
  const properties = schema['properties'];
  if (!is_object(properties)) return [];
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.entries(properties).flatMap(([key, raw]) => field_of(root, key, raw, required.includes(key)) ?? []);
}

/** What is wrong with a number before the server is asked: null if nothing. */
export function range_problem(field: Field, value: number): string | null {
  if (!('minimum' in field)) return null;
  const low = field.minimum ?? Number.NEGATIVE_INFINITY;
  const high = field.maximum ?? Number.POSITIVE_INFINITY;
  if (value >= low && value <= high && (field.type !== 'integer' || Number.isInteger(value))) return null;
  const range = [Number.isFinite(low) ? `from ${low}` : '', Number.isFinite(high) ? `to ${high}` : ''].filter(Boolean).join(' ');
  return `${field.type === 'integer' ? 'a whole number ' : ''}${range} ${field.unit}`.trim();
}
