/**
 * Most notes have a few lines of `name: value`, and YAML in all its generality takes twenty times as long to read them
 * as the rest of the note. Whatever is not as plain as this is left to it; a test compares the two.
 */
const LINE = /^([A-Za-z][\w-]*):(?: +(\S.*?))? *$/u;
const TEXT = /^\p{L}(?:[\p{L}\p{N} _./()+-]*[\p{L}\p{N}_./()+])?$/u;
const LIST = /^\[ *((?:[^[\],{}]+,)*[^[\],{}]+) *\]$/u;
const WHOLE = /^(?:0|-?[1-9]\d{0,14})$/u;
const DAY = /^\d{4}-\d\d-\d\d$/u;
/** Words that are no text. */
const MEANT: Readonly<Record<string, unknown>> = { true: true, false: false, null: null };
const OTHERWISE = /^(?:true|false|null)$/iu;

/** Undefined when it has to be read as YAML. */
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
