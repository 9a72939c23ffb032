import type { LinkKind, NoteLink } from './link.ts';

interface Place {
  /** Offset of the line in the text. */
  readonly start: number;
  readonly line: number;
}

const SPECIAL = /[`[\]#\\]/gu;
/** A tag starts a word and is not only a number. */
const TAG = /^#([\p{L}\p{N}_][\p{L}\p{N}\p{M}_/-]*)/u;
const BEFORE_TAG = /[\s([{,;:"'!]/u;
const TAG_LENGTH_MAX = 100;
const TARGET_LENGTH_MAX = 1_000;
/** Link destinations: in angle brackets, or without spaces and with balanced parentheses. */
const DESTINATION = /^\(\s*(?:<([^<>\n]*)>|((?:[^\s()<>\\]|\\.|\([^\s()]*\))*))(?:\s+(?:"[^"]*"|'[^']*'))?\s*\)/u;
const ADDRESS = /^(?:[a-z][a-z\d+.-]*:|\/\/|#|$)/iu;

/** Finds links and tags in a line, outside of `code`. Reads each character once. */
export function scanLine(content: string, place: Place, links: NoteLink[], tags: string[]): void {
  const open: number[] = [];
  let at = next(content, 0);
  while (at >= 0) {
    const character = content[at];
    let after = at + 1;
    if (character === '\\') after = at + 2;
    else if (character === '`') after = afterCode(content, at);
    else if (character === '#') after = takeTag(content, at, tags);
    else if (character === '[' && content[at + 1] === '[') after = takeWikiLink(content, at, place, links);
    else if (character === '[') open.push(at);
    else if (character === ']') {
      const from = open.pop();
      if (content[at + 1] === '(') after = takeLink(content, from, at, place, links);
    }
    at = next(content, after);
  }
}

function next(content: string, from: number): number {
  SPECIAL.lastIndex = from;
  return SPECIAL.exec(content)?.index ?? -1;
}

/** A run of backticks ends with a run of the same length; without one it is text. */
function afterCode(content: string, at: number): number {
  let length = 1;
  while (content[at + length] === '`') length += 1;
  const mark = '`'.repeat(length);
  for (let end = content.indexOf(mark, at + length); end >= 0; end = content.indexOf(mark, end)) {
    let run = length;
    while (content[end + run] === '`') run += 1;
    if (run === length) return end + run;
    end += run;
  }
  return at + length;
}

function takeTag(content: string, at: number, tags: string[]): number {
  if (at > 0 && !BEFORE_TAG.test(content[at - 1] ?? '')) return at + 1;
  const tag = TAG.exec(content.slice(at, at + 1 + TAG_LENGTH_MAX))?.[1]?.replace(/[/-]+$/u, '');
  if (tag === undefined || /^[\p{N}/_-]*$/u.test(tag)) return at + 1;
  tags.push(tag);
  return at + 1 + tag.length;
}

function takeWikiLink(content: string, at: number, { start, line }: Place, links: NoteLink[]): number {
  const ahead = content.slice(at + 2, at + 2 + TARGET_LENGTH_MAX);
  const inside = ahead.slice(0, Math.max(0, ahead.indexOf(']]')));
  if (inside === '' || inside.includes('[')) return at + 2;
  const bar = inside.indexOf('|');
  const written = bar < 0 ? inside : inside.slice(0, bar);
  // The bar is escaped in tables.
  const named = written.endsWith('\\') && bar >= 0 ? written.slice(0, -1) : written;
  const hash = named.indexOf('#');
  const file = hash < 0 ? named : named.slice(0, hash);
  const target = file.trim();
  if (target !== '') {
    const from = start + at + 2 + file.indexOf(target);
    links.push({
      kind: content[at - 1] === '!' ? 'embed' : 'wiki',
      target,
      part: hash < 0 ? null : named.slice(hash + 1).trim(),
      text: bar < 0 ? named.trim() : inside.slice(bar + 1).trim(),
      line,
      start: from,
      end: from + target.length,
    });
  }
  return at + inside.length + 4;
}

function takeLink(content: string, open: number | undefined, at: number, place: Place, links: NoteLink[]): number {
  const rest = content.slice(at + 1, at + 1 + 2 * TARGET_LENGTH_MAX);
  const [all, inAngles, bare] = DESTINATION.exec(rest) ?? [];
  if (all === undefined) return at + 1;
  const written = inAngles ?? bare ?? '';
  if (!ADDRESS.test(written)) {
    const hash = written.indexOf('#');
    const file = hash < 0 ? written : written.slice(0, hash);
    const from = place.start + at + 1 + all.indexOf(written, 1);
    const kind: LinkKind = open !== undefined && open > 0 && content[open - 1] === '!' ? 'image' : 'markdown';
    links.push({
      kind,
      target: unescaped(file),
      part: hash < 0 ? null : unescaped(written.slice(hash + 1)),
      text: open === undefined ? '' : content.slice(open + 1, at),
      line: place.line,
      start: from,
      end: from + file.length,
    });
  }
  return at + 1 + all.length;
}

function unescaped(written: string): string {
  const plain = written.replaceAll(/\\([!-/:-@[-`{-~])/gu, '$1');
  try {
    return decodeURIComponent(plain).replaceAll('\0', '\u{fffd}');
  } catch {
    return plain;
  }
}
