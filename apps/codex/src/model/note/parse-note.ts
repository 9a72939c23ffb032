import { findFrontMatter, type Properties, readProperties, tagsOf } from './properties.ts';

export type { Properties } from './properties.ts';

interface ParsedNote {
  /** From the front matter; empty if there is none or it cannot be parsed. */
  readonly properties: Properties;
  readonly propertiesError: string | null;
  /** From the front matter, else the first heading; null if the file name is the title. */
  readonly title: string | null;
  readonly description: string | null;
  /** From the front matter and the text, without duplicates, in order. */
  readonly tags: readonly string[];
  readonly headings: readonly Heading[];
  readonly links: readonly NoteLink[];
  /** Indexed text: everything except the front matter. */
  readonly text: string;
}

const TITLE_LENGTH_MAX = 1_000;
const DESCRIPTION_LENGTH_MAX = 10_000;

/** Parses a Markdown text in one pass. Never throws. */
export function parseNote(source: string): ParsedNote {
  const front = findFrontMatter(source);
  const { properties, error } =
    front === undefined ? { properties: {}, error: null } : readProperties(source.slice(front.start, front.end), 2);
  const body = front?.body ?? (source.startsWith('\uFEFF') ? 1 : 0);
  const { headings, links, tags } = scanBody(source, body, 1 + countLines(source, body));
  return {
    properties,
    propertiesError: error,
    title: titleIn(properties) ?? (headings.find(({ text }) => text !== '')?.text.slice(0, TITLE_LENGTH_MAX) || null),
    description: descriptionIn(properties),
    tags: tagsOf(properties, tags),
    headings,
    links,
    text: body === 0 ? source : source.slice(body),
  };
}

export function titleIn(properties: Properties): string | null {
  return textIn(properties, 'title', TITLE_LENGTH_MAX);
}

export function descriptionIn(properties: Properties): string | null {
  return textIn(properties, 'description', DESCRIPTION_LENGTH_MAX);
}

function textIn(properties: Properties, name: string, lengthMax: number): string | null {
  const value = properties[name];
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const text = String(value).trim().slice(0, lengthMax);
  return text === '' ? null : text;
}

function countLines(text: string, end: number): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** `[[target#part|text]]`, `![[target]]`, `[text](target)` and `![text](target)`. */
export type LinkKind = 'wiki' | 'embed' | 'markdown' | 'image';

/** A link within the notebook, not to the web. */
export interface NoteLink {
  readonly kind: LinkKind;
  /** The target as the note names it, without `#part` and with escapes decoded. */
  readonly target: string;
  readonly part: string | null;
  readonly text: string;
  /** Line number, from 1. */
  readonly line: number;
  /** Range of the target in the source, with escapes and without `#part`. Rewriting the link replaces it. */
  readonly start: number;
  readonly end: number;
}

interface Heading {
  readonly level: number;
  readonly text: string;
  readonly line: number;
}

interface ScannedBody {
  readonly headings: readonly Heading[];
  readonly links: readonly NoteLink[];
  readonly tags: readonly string[];
}

/** Limits per file, above what real notes contain. Further headings, links and tags are ignored. */
const HEADINGS_MAX = 2_000;
const LINKS_MAX = 5_000;
const TAGS_MAX = 200;

const FENCE = /^[\s>]*(?:[-*+] +)?(`{3,}|~{3,})(.*)$/u;
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/u;
const UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/u;

/** Scans the lines of a Markdown text from `begin`, skipping code blocks. */
function scanBody(text: string, begin: number, firstLine: number): ScannedBody {
  const headings: Heading[] = [];
  const links: NoteLink[] = [];
  const tags: string[] = [];
  let fence: string | undefined;
  let paragraph = '';
  let line = firstLine;
  for (let start = begin; start < text.length; line += 1) {
    const newline = text.indexOf('\n', start);
    const next = newline < 0 ? text.length : newline + 1;
    const end = newline < 0 ? text.length : text[newline - 1] === '\r' && newline > start ? newline - 1 : newline;
    const content = text.slice(start, end);
    const mark = content.includes('```') || content.includes('~~~') ? FENCE.exec(content) : null;
    if (fence !== undefined) {
      if (mark !== null && closes(fence, mark)) fence = undefined;
    } else if (mark !== null && opens(mark)) {
      fence = mark[1];
      paragraph = '';
    } else {
      const found = headingOf(content, paragraph);
      if (found !== undefined && headings.length < HEADINGS_MAX) {
        const isUnderlined = found.text === undefined;
        headings.push({
          level: found.level,
          text: plainText(found.text ?? paragraph),
          line: isUnderlined ? line - 1 : line,
        });
      }
      paragraph = found === undefined ? content.trim() : '';
      if (links.length < LINKS_MAX) scanLine(content, { start, line }, links, tags);
    }
    start = next;
  }
  return { headings, links, tags: tags.slice(0, TAGS_MAX) };
}

function opens([, mark = '', rest = '']: RegExpExecArray): boolean {
  return !(mark.startsWith('`') && rest.includes('`'));
}

function closes(fence: string, [, mark = '', rest = '']: RegExpExecArray): boolean {
  return mark[0] === fence[0] && mark.length >= fence.length && rest.trim() === '';
}

/** `text` is undefined for an underlined heading, whose text is the previous line. */
function headingOf(content: string, paragraph: string): { level: number; text?: string } | undefined {
  const first = content.trimStart()[0];
  if (first === '#') {
    const [, marks, text = ''] = HEADING.exec(content) ?? [];
    return marks === undefined ? undefined : { level: marks.length, text: text.replace(/[ \t]+#+[ \t]*$/u, '') };
  }
  if ((first !== '=' && first !== '-') || paragraph === '' || /^[-*+>|#]/u.test(paragraph)) return undefined;
  const underline = UNDERLINE.exec(content)?.[1];
  return underline === undefined ? undefined : { level: underline.startsWith('=') ? 1 : 2 };
}

function plainText(markdown: string): string {
  return markdown
    .replaceAll(/!?\[\[([^[\]|]*)(?:\|([^[\]]*))?\]\]/gu, (_all, target: string, text?: string) => text ?? target)
    .replaceAll(/!?\[([^[\]]*)\]\([^()]*\)/gu, '$1')
    .replaceAll(/[*`]+|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, '')
    .trim();
}

interface Place {
  readonly start: number;
  readonly line: number;
}

const SPECIAL = /[`[\]#\\]/gu;
/** A tag must start a word and must not be only a number. */
const TAG = /^#([\p{L}\p{N}_][\p{L}\p{N}\p{M}_/-]*)/u;
const BEFORE_TAG = /[\s([{,;:"'!]/u;
const TAG_LENGTH_MAX = 100;
const TARGET_LENGTH_MAX = 1_000;
/** Link destinations: in angle brackets, or without spaces and with balanced parentheses. */
const DESTINATION = /^\(\s*(?:<([^<>\n]*)>|((?:[^\s()<>\\]|\\.|\([^\s()]*\))*))(?:\s+(?:"[^"]*"|'[^']*'))?\s*\)/u;
const ADDRESS = /^(?:[a-z][a-z\d+.-]*:|\/\/|#|$)/iu;

/** Finds links and tags in a line, outside of `code`. Reads each character once. */
function scanLine(content: string, place: Place, links: NoteLink[], tags: string[]): void {
  const open: number[] = [];
  let at = nextSpecial(content, 0);
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
    at = nextSpecial(content, after);
  }
}

function nextSpecial(content: string, from: number): number {
  SPECIAL.lastIndex = from;
  return SPECIAL.exec(content)?.index ?? -1;
}

/** A run of backticks ends at the next run of the same length. Without one, the backticks are text. */
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
  // In a table, the bar is escaped: `[[target\|text]]`.
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
