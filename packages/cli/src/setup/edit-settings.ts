/** Adds and removes single entries in settings files. Everything else stays as it is, including comments. */
import { applyEdits, findNodeAtLocation, type JSONPath, modify, parse, type ParseError, parseTree } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';

import { commandLineErrors } from '../errors.ts';

/** Error for a file that cannot be parsed; the file is left unchanged. */
function unreadable(path: string, reason: string, cause?: unknown): Error {
  return commandLineErrors.SETUP_FILE_UNREADABLE(`${path} ${reason}`, { cause });
}

/** Adds the value at `keys`, unless there is one already: a user may have changed it. */
export function withJsonEntry(path: string, text: string, keys: readonly string[], value: unknown): string {
  const root = parseJson(path, text);
  for (let depth = 1; depth < keys.length; depth++) {
    const around = valueAt(root, keys.slice(0, depth));
    if (around !== undefined && !isObject(around)) throw unreadable(path, `has no object at ${keys[depth - 1]}.`);
  }
  return valueAt(root, keys) === undefined ? changed(text, [...keys], value) : text;
}

/** Removes the value at `keys` if it equals `value`. Then removes the enclosing objects that have become empty. */
export function withoutJsonEntry(path: string, text: string, keys: readonly string[], value: unknown): string {
  if (!isSame(valueAt(parseJson(path, text), keys), value)) return text;
  return withoutEmpty(changed(text, [...keys], undefined), keys.slice(0, -1));
}

/** Appends the value to the list at `keys`, unless the list already contains it. */
export function withJsonItem(path: string, text: string, keys: readonly string[], value: unknown): string {
  const list = valueAt(parseJson(path, text), keys) ?? [];
  if (!Array.isArray(list)) throw unreadable(path, `has no list at ${keys.join('.')}.`);
  if (list.some((item) => isSame(item, value))) return text;
  if (list.length === 0) return withJsonEntry(path, withoutEmptyList(text, keys), keys, [value]);
  return changed(text, [...keys, list.length], value);
}

export function withoutJsonItem(path: string, text: string, keys: readonly string[], value: unknown): string {
  const list = valueAt(parseJson(path, text), keys);
  const index = Array.isArray(list) ? list.findIndex((item) => isSame(item, value)) : -1;
  return index < 0 ? text : withoutEmpty(withoutItem(text, keys, index), keys);
}

/** Needed because the library's own removal also removes the line break after the last item. */
function withoutItem(text: string, keys: readonly string[], index: number): string {
  const root = parseTree(text, [], { allowTrailingComma: true });
  const items = (root && findNodeAtLocation(root, [...keys])?.children) ?? [];
  const [before, item, after] = [items[index - 1], items[index], items[index + 1]];
  if (item === undefined) return text;
  const start = before === undefined ? item.offset : before.offset + before.length;
  const end = before === undefined && after !== undefined ? after.offset : item.offset + item.length;
  return text.slice(0, start) + text.slice(end);
}

function parseJson(path: string, text: string): unknown {
  const errors: ParseError[] = [];
  const root: unknown = text.trim() === '' ? {} : parse(text, errors, { allowTrailingComma: true });
  if (errors.length > 0 || !isObject(root)) throw unreadable(path, 'is not a JSON object.');
  return root;
}

/** Formats only the added text, because the library's own formatting also changes adjacent lines. */
function changed(text: string, keys: JSONPath, value: unknown): string {
  const base = text.trim() === '' ? '{}\n' : text;
  const edits = modify(base, keys, value, {});
  const [edit] = edits;
  if (value === undefined || edit === undefined) return applyEdits(base, edits);
  const hasComma = edit.content.startsWith(',');
  const added = hasComma ? edit.content.slice(1) : edit.content;
  const isItem = typeof keys.at(-1) === 'number';
  const root: unknown = JSON.parse(isItem ? `[${added}]` : `{${added}}`);
  const { unit, eol } = styleOf(base);
  const around = unit.repeat(depthOf(base, keys) - 1);
  const lines = JSON.stringify(root, null, unit).split('\n').slice(1, -1);
  const content = lines.map((line) => `${eol}${around}${line}`).join('');
  return applyEdits(base, [{ ...edit, content: hasComma ? `,${content}` : `${content}${eol}${around}` }]);
}

/** Returns the number of objects and lists that enclose the first missing key. */
function depthOf(text: string, keys: JSONPath): number {
  const root = parse(text, [], { allowTrailingComma: true }) as unknown;
  const depth = keys.findIndex((_, index) => valueAt(root, keys.slice(0, index + 1).map(String)) === undefined);
  return depth + 1;
}

function styleOf(text: string): { readonly unit: string; readonly eol: string } {
  const [, unit = '  '] = /^([\t ]+)\S/mu.exec(text) ?? [];
  return { unit: unit.startsWith('\t') ? '\t' : unit, eol: text.includes('\r\n') ? '\r\n' : '\n' };
}

function withoutEmptyList(text: string, keys: readonly string[]): string {
  return isSame(valueAt(parse(text, [], { allowTrailingComma: true }), keys), [])
    ? changed(text, [...keys], undefined)
    : text;
}

/** Removes empty objects and lists at `keys` and above. Returns an empty text if nothing is left. */
function withoutEmpty(text: string, keys: readonly string[]): string {
  let rest = text;
  for (let depth = keys.length; depth > 0; depth--) {
    const value = valueAt(parse(rest, [], { allowTrailingComma: true }), keys.slice(0, depth));
    if (isSame(value, {}) || isSame(value, [])) rest = changed(rest, keys.slice(0, depth), undefined);
  }
  return /^\s*\{\s*\}\s*$/u.test(rest) ? '' : rest;
}

function valueAt(root: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>(
    (value, key) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined),
    root,
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

/** Text between two markers, by which it can be found again. */
export interface Block {
  readonly begin: string;
  readonly end: string;
  readonly text: string;
}

/** Adds a TOML table as a block, unless the file has this table already. */
export function withTomlTable(path: string, text: string, keys: readonly string[], block: Block): string {
  const rest = withoutBlock(text, block);
  if (valueAt(tomlOf(path, rest), keys) !== undefined) return text;
  const wanted = withBlock(text, block);
  tomlOf(path, wanted);
  return wanted;
}

export function withoutTomlTable(path: string, text: string, block: Block): string {
  tomlOf(path, text);
  return withoutBlock(text, block);
}

function tomlOf(path: string, text: string): unknown {
  try {
    return parseToml(text);
  } catch (error) {
    throw unreadable(path, 'is not valid TOML, or the new table does not fit into it.', error);
  }
}

/** Puts the block at the end of the text; replaces an older one. */
export function withBlock(text: string, block: Block): string {
  const rest = withoutBlock(text, block).trimEnd();
  return `${rest === '' ? '' : `${rest}\n\n`}${block.begin}\n${block.text}${block.end}\n`;
}

export function withoutBlock(text: string, { begin, end }: Block): string {
  const from = text.indexOf(begin);
  const to = text.indexOf(end, from);
  if (from < 0 || to < 0) return text;
  const parts = [text.slice(0, from).trimEnd(), text.slice(to + end.length).trim()].filter((part) => part !== '');
  return parts.length === 0 ? '' : `${parts.join('\n\n')}\n`;
}
