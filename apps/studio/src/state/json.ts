// SPDX-License-Identifier: MIT
// JSON pointers and changes that leave the old value as it was: what undo needs.
import type { Json, JsonObject } from '../protocol/messages';

export function pointer_parts(pointer: string): string[] {
  if (pointer === '') return [];
  return pointer.slice(1).split('/').map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export function pointer_of(...parts: (string | number)[]): string {
  return parts.map((part) => '/' + String(part).replaceAll('~', '~0').replaceAll('/', '~1')).join('');
}

export function is_object(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function get_at(root: Json, pointer: string): Json | undefined {
  let value: Json | undefined = root;
  for (const part of pointer_parts(pointer)) {
    if (Array.isArray(value)) value = value[Number(part)];
    else if (is_object(value)) value = value[part];
    else return undefined;
  }
  return value;
}

/** A copy of `root` with another value at the pointer; missing objects on the way are made. `undefined` takes it out. */
export function set_at<T extends Json>(root: T, pointer: string, value: Json | undefined): T {
  return put(root, pointer_parts(pointer), value) as T;
}

function put(node: Json | undefined, parts: string[], value: Json | undefined): Json | undefined {
  const [head, ...rest] = parts;
  if (head === undefined) return value;
  if (Array.isArray(node)) {
    const copy = node.slice();
    const index = head === '-' ? copy.length : Number(head);
    const next = put(copy[index], rest, value);
    if (next === undefined) copy.splice(index, 1);
    else copy[index] = next;
    return copy;
  }
  const copy: JsonObject = is_object(node) ? { ...node } : {};
  const next = put(copy[head], rest, value);
  if (next === undefined) delete copy[head];
  else copy[head] = next;
  return copy;
}

/** A copy in which a key of an object has another name, at the same place in the order. */
export function rename_at<T extends Json>(root: T, pointer: string, name: string): T {
  const parts = pointer_parts(pointer);
  const key = parts.pop();
  const parent_pointer = pointer_of(...parts);
  const parent = get_at(root, parent_pointer);
  if (key === undefined || !is_object(parent)) return root;
  const renamed: JsonObject = {};
  for (const [name_before, value] of Object.entries(parent)) renamed[name_before === key ? name : name_before] = value;
  return set_at(root, parent_pointer, renamed);
}
