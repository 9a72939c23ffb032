/**
 * Most front matter is a few lines of `name: value`, and a full YAML parser takes twenty times as long as the rest of
 * the note. Anything more complex is left to the parser; a test compares the two.
 */
const LINE = /^([A-Za-z][\w-]*):(?: +(\S.*?))? *$/u;
const TEXT = /^\p{L}(?:[\p{L}\p{N} _./()+-]*[\p{L}\p{N}_./()+])?$/u;
const LIST = /^\[ *((?:[^[\],{}]+,)*[^[\],{}]+) *\]$/u;
const WHOLE = /^(?:0|-?[1-9]\d{0,14})$/u;
const DAY = /^\d{4}-\d\d-\d\d$/u;
/** Words that YAML does not read as text. */
const MEANT: Readonly<Record<string, unknown>> = { true: true, false: false, null: null };
const OTHERWISE = /^(?:true|false|null)$/iu;

/** Returns undefined if the text needs a YAML parser. */
export function readSimple(source: string): Readonly<Record<string, unknown>> | undefined {
  const found: [string, unknown][] = [];
  const names = new Set<string>();
  for (const line of source.split('\n')) {
    const text = line.endsWith('\r') ? line.slice(0, -1) : line;
    if (text === '') continue;
    const [, name, written] = LINE.exec(text) ?? [];
    if (name === undefined || written === undefined || names.has(name)) return undefined;
    const value = valueOf(written);
    if (value === undefined) return undefined;
    names.add(name);
    found.push([name, value]);
  }
  return Object.fromEntries(found);
}

function valueOf(written: string): unknown {
  const list = LIST.exec(written)?.[1];
  if (list === undefined) return scalarOf(written);
  const values = list.split(',').map((each) => scalarOf(each.trim()));
  return values.includes(undefined) ? undefined : values;
}

function scalarOf(text: string): unknown {
  if (Object.hasOwn(MEANT, text)) return MEANT[text];
  if (TEXT.test(text)) return OTHERWISE.test(text) ? undefined : text;
  if (DAY.test(text)) return text;
  return WHOLE.test(text) ? Number(text) : undefined;
}
