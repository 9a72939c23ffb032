/**
 * A JSON object that keeps the original text of its values. Parsing and printing would change numbers beyond 2^53,
 * `1.0` and the order of numeric keys.
 */
export class RawObject {
  readonly #members: Map<string, string>;
  #isChanged = false;

  /** Reads a valid JSON object. */
  constructor(text = '{}') {
    this.#members = membersOf(text);
  }

  get(name: string): string | undefined {
    return this.#members.get(name);
  }

  get isChanged(): boolean {
    return this.#isChanged;
  }

  /** Adds or replaces a value; removes it if `value` is undefined. */
  set(name: string, value: unknown): void {
    const text = value === undefined ? undefined : value instanceof RawObject ? value.text() : goJson(value);
    if (text === this.#members.get(name)) return;
    this.#isChanged = true;
    if (text === undefined) this.#members.delete(name);
    else this.#members.set(name, text);
  }

  text(): string {
    return `{${Array.from(this.#members, ([name, value]) => `${goJson(name)}:${value}`).join(',')}}`;
  }
}

function membersOf(text: string): Map<string, string> {
  const members = new Map<string, string>();
  let at = text.indexOf('{') + 1;
  for (;;) {
    const start = text.indexOf('"', at);
    if (start < 0 || text.slice(at, start).includes('}')) return members;
    const nameEnd = endOfString(text, start);
    const valueStart = text.indexOf(':', nameEnd) + 1;
    at = endOfValue(text, valueStart);
    members.set(JSON.parse(text.slice(start, nameEnd)) as string, text.slice(valueStart, at).trim());
  }
}

/** Returns the index after the closing quote of the string that starts at `start`. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

/** Returns the index of the comma or bracket that follows the value. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length;) {
    const character = text[at] ?? '';
    if (depth === 0 && (character === ',' || character === '}')) return at;
    if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    at = character === '"' ? endOfString(text, at) : at + 1;
  }
  return text.length;
}

/** Formats JSON as Beads does with Go's encoder. */
function goJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
