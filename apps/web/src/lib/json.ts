/** A parsed value that keeps numbers as written: JavaScript would round 12345678901234567890. */
export type Json =
  | { readonly kind: 'plain'; readonly text: string; readonly type: 'string' | 'number' | 'boolean' | 'null' }
  | { readonly kind: 'list'; readonly items: readonly Json[] }
  | { readonly kind: 'object'; readonly fields: readonly (readonly [string, Json])[] };

const token = /\s*([{}[\]:,]|"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null)/y;
const DEPTH_MAX = 64;

/** Parses JSON. Returns undefined if the text is not JSON or is nested too deeply for a tree. */
export function parseJson(text: string): Json | undefined {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  const reader = new Reader(text);
  return reader.value(0);
}

class Reader {
  readonly #tokens: string[] = [];
  #at = 0;

  constructor(text: string) {
    token.lastIndex = 0;
    for (let match = token.exec(text); match !== null; match = token.exec(text)) this.#tokens.push(match[1] ?? '');
  }

  value(depth: number): Json | undefined {
    if (depth > DEPTH_MAX) return undefined;
    const next = this.#take();
    if (next === '{') return this.#object(depth);
    if (next === '[') return this.#list(depth);
    if (next.startsWith('"')) return { kind: 'plain', type: 'string', text: JSON.parse(next) as string };
    if (next === 'null') return { kind: 'plain', type: 'null', text: next };
    return { kind: 'plain', type: next === 'true' || next === 'false' ? 'boolean' : 'number', text: next };
  }

  #object(depth: number): Json | undefined {
    const fields: [string, Json][] = [];
    while (this.#peek() !== '}') {
      const name = JSON.parse(this.#take()) as string;
      this.#take();
      const value = this.value(depth + 1);
      if (value === undefined) return undefined;
      fields.push([name, value]);
      if (this.#peek() === ',') this.#take();
    }
    this.#take();
    return { kind: 'object', fields };
  }

  #list(depth: number): Json | undefined {
    const items: Json[] = [];
    while (this.#peek() !== ']') {
      const value = this.value(depth + 1);
      if (value === undefined) return undefined;
      items.push(value);
      if (this.#peek() === ',') this.#take();
    }
    this.#take();
    return { kind: 'list', items };
  }

  #peek(): string {
    return this.#tokens[this.#at] ?? '';
  }

  #take(): string {
    const next = this.#peek();
    this.#at += 1;
    return next;
  }
}

/** Indents JSON and keeps numbers as written; returns other text unchanged. */
export function prettyJson(text: string): string {
  const parsed = parseJson(text);
  return parsed === undefined || parsed.kind === 'plain' ? text : write(parsed, '');
}

function write(value: Json, indent: string): string {
  const inner = `${indent}  `;
  if (value.kind === 'plain') return value.type === 'string' ? JSON.stringify(value.text) : value.text;
  if (value.kind === 'list') {
    if (value.items.length === 0) return '[]';
    return `[\n${value.items.map((item) => inner + write(item, inner)).join(',\n')}\n${indent}]`;
  }
  if (value.fields.length === 0) return '{}';
  const fields = value.fields.map(([name, field]) => `${inner}${JSON.stringify(name)}: ${write(field, inner)}`);
  return `{\n${fields.join(',\n')}\n${indent}}`;
}
