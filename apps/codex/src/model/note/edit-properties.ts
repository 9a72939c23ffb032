import { isDeepStrictEqual } from 'node:util';

import { isHoldfastError } from '@holdfast/base';
import { Document, isMap, isScalar, parseDocument, type Pair, type YAMLMap } from 'yaml';

import { codexErrors } from '../errors.ts';
import { findFrontMatter, type Properties, PROPERTIES_BYTES_MAX, readProperties, YAML_OPTIONS } from './properties.ts';

export interface PropertyEdit {
  readonly set: Properties;
  readonly unset: readonly string[];
  /** True to remove all properties that `set` does not name, except title and description. */
  readonly only: boolean;
}

/** Edits the front matter. Keeps the text after it, and the source of unchanged properties if possible. */
export function editFrontMatter(text: string, edit: PropertyEdit): string {
  const front = findFrontMatter(text);
  if (front === undefined) {
    const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
    const newline = /\r?\n/u.exec(text)?.[0] ?? '\n';
    const source = editYaml('', edit, newline);
    return source === '' ? text : `${mark}---${newline}${source}---${newline}${text.slice(mark.length)}`;
  }
  const source = editYaml(text.slice(front.start, front.end), edit, front.newline);
  if (source.trim() !== '') return text.slice(0, front.start) + source + text.slice(front.end);
  return (text.startsWith('\uFEFF') ? '\uFEFF' : '') + text.slice(front.body);
}

export function editSidecar(path: string, text: string, edit: PropertyEdit): string {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const source = text.slice(mark.length);
  if (!path.endsWith('.json')) return mark + editYaml(source, edit, /\r?\n/u.exec(source)?.[0] ?? '\n');
  const { properties } = readable(source);
  return `${mark}${JSON.stringify(edited(properties, edit), null, 2)}\n`;
}

function readable(source: string): { readonly properties: Properties } {
  const read = readProperties(source, 2);
  if (read.error === null) return read;
  throw codexErrors.PROPERTIES_INVALID(`The properties cannot be read: ${read.error}`);
}

function edited(properties: Properties, { set, unset, only }: PropertyEdit): Properties {
  const gone = new Set(unset);
  const stays = (name: string): boolean =>
    !only || Object.hasOwn(set, name) || name === 'title' || name === 'description';
  const left = Object.entries(properties).filter(([name]) => !gone.has(name) && stays(name));
  return { ...Object.fromEntries(left), ...set };
}

/**
 * Changes only the lines of changed properties. If that fails, for example for `{a: 1, b: 2}` on one line or for
 * aliases, rewrites all properties but keeps comments and order.
 */
function editYaml(source: string, edit: PropertyEdit, newline: string): string {
  const { properties } = readable(source);
  const wanted = edited(properties, edit);
  const changed = Object.keys({ ...properties, ...wanted }).filter(
    (name) => !isDeepStrictEqual(own(properties, name), own(wanted, name)),
  );
  if (changed.length === 0) return source;
  for (const way of [editLines, editDocument]) {
    const result = attempt(() => way(source, wanted, changed, newline));
    if (result === undefined) continue;
    const read = readProperties(result);
    if (read.error === null && isDeepStrictEqual(read.properties, comparable(wanted))) return result;
  }
  throw codexErrors.PROPERTIES_INVALID('The properties are longer than 64 KiB or cannot be written as YAML');
}

function own(from: Properties, name: string): unknown {
  return Object.hasOwn(from, name) ? from[name] : undefined;
}

/** Returns undefined if `way` fails, for example because an alias refers to a removed value. */
function attempt(way: () => string): string | undefined {
  try {
    return way();
  } catch (error) {
    if (isHoldfastError(error)) throw error;
    return undefined;
  }
}

function editLines(source: string, wanted: Properties, changed: readonly string[], newline: string): string {
  const { contents } = parseDocument(source, YAML_OPTIONS);
  const pairs = isMap(contents) && contents.flow !== true ? contents.items : [];
  const cuts: { readonly from: number; readonly to: number; readonly text: string }[] = [];
  const added: string[] = [];
  for (const name of changed) {
    const index = pairs.findIndex(({ key }) => isScalar(key) && String(key.value) === name);
    const pair = pairs[index];
    const text = Object.hasOwn(wanted, name) ? lines(name, wanted[name], newline) : '';
    if (pair === undefined) added.push(text);
    else cuts.push({ ...extent(source, pair, pairs[index + 1]), text });
  }
  let result = source;
  for (const { from, to, text } of cuts.toSorted((left, right) => right.from - left.from)) {
    result = result.slice(0, from) + text + result.slice(to);
  }
  if (added.length > 0 && result !== '' && !result.endsWith('\n')) result += newline;
  return result + added.join('');
}

/** Returns the range from the line of the name to the end of the value, without comments above the next property. */
function extent(source: string, { key, value }: Pair, next: Pair | undefined): { from: number; to: number } {
  const start = rangeOf(key)?.[0] ?? 0;
  const valueEnd = rangeOf(value)?.[1] ?? rangeOf(key)?.[1] ?? start;
  const newline = source.indexOf('\n', Math.max(start, valueEnd - 1));
  const limit = next === undefined ? source.length : lineStart(source, rangeOf(next.key)?.[0] ?? source.length);
  return { from: lineStart(source, start), to: Math.min(newline < 0 ? source.length : newline + 1, limit) };
}

function rangeOf(node: unknown): readonly number[] | undefined {
  return (node as { readonly range?: readonly number[] } | null)?.range;
}

function lineStart(source: string, at: number): number {
  return source.lastIndexOf('\n', at - 1) + 1;
}

function editDocument(source: string, wanted: Properties, changed: readonly string[], newline: string): string {
  const document = parseDocument<YAMLMap>(source, YAML_OPTIONS);
  if (!isMap(document.contents)) document.contents = document.createNode({});
  for (const name of changed) {
    if (Object.hasOwn(wanted, name)) document.set(name, document.createNode(wanted[name]));
    else document.delete(name);
  }
  const text = document.contents.items.length === 0 ? '' : document.toString({ lineWidth: 0 });
  return text.replaceAll(/\r?\n/gu, newline);
}

/** Quotes words such as `yes`, which programs that use YAML 1.1 would read as true. */
function lines(name: string, value: unknown, newline: string): string {
  const text = new Document({ [name]: value }, { ...YAML_OPTIONS, compat: 'yaml-1.1' }).toString({ lineWidth: 0 });
  if (text.length > PROPERTIES_BYTES_MAX) throw codexErrors.PROPERTIES_INVALID(`The property ${name} is too long`);
  return text.replaceAll('\n', newline);
}

/** Returns the values as they would be read back from a file. */
function comparable(properties: Properties): Properties {
  return readProperties(JSON.stringify(properties)).properties;
}
