interface FrontMatter {
  readonly properties: readonly { readonly name: string; readonly value: string }[];
  readonly body: string;
}

const FENCE = /^\uFEFF?---[ \t]*\r?\n(?<inner>[\s\S]*?)\r?\n?---[ \t]*(?:\r?\n|$)/u;
const NAME = /^(?<name>[^\s#:][^:]*):(?:\s+(?<value>.*)|$)/u;

/**
 * What stands above a note, as it is written: name by name, and whatever is indented below a name belongs to it. It is
 * only shown, so nothing of it is interpreted.
 */
export function splitFrontMatter(text: string): FrontMatter {
  const found = FENCE.exec(text);
  if (found === null) return { properties: [], body: text };
  const properties: { name: string; value: string }[] = [];
  for (const line of (found.groups?.['inner'] ?? '').split(/\r?\n/u)) {
    const pair = NAME.exec(line)?.groups;
    const last = properties.at(-1);
    if (pair !== undefined) properties.push({ name: pair['name'] ?? '', value: (pair['value'] ?? '').trim() });
    else if (last !== undefined && line.trim() !== '') last.value = `${last.value}\n${line}`.trim();
  }
  return { properties, body: text.slice(found[0].length) };
}
