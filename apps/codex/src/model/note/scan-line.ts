/**
 * `[[target#part|text]]` is `wiki`, `![[target]]` is `embed`. `[text](target)`, `[label]: target` and HTML's `href` are
 * `markdown`; `![text](target)` and HTML's `src` are `image`.
 */
export type LinkKind = 'wiki' | 'embed' | 'markdown' | 'image';

/** A link within the notebook, not to the web. */
export interface NoteLink {
  readonly kind: LinkKind;
  /** The target in the note, without `#part` and with escapes decoded. */
  readonly target: string;
  readonly part: string | null;
  readonly text: string;
  /** Line number, from 1. */
  readonly line: number;
  /** Range of the target in the source, with escapes and without `#part`. Rewriting a link replaces this range. */
  readonly start: number;
  readonly end: number;
  /** The YAML quotes around the link; undefined outside of properties. */
  readonly quote?: YamlQuote | undefined;
}

/** Empty for a value without quotes. */
export type YamlQuote = '"' | "'" | '';

/** Links and tags found so far. */
export interface Scanned {
  readonly links: NoteLink[];
  readonly tags: string[];
  /** True if the last line ended inside an HTML element. */
  isInElement: boolean;
}

interface LinePosition {
  readonly start: number;
  readonly line: number;
  /**
   * Returns the YAML quotes around a position; set only for a line of properties. Call it with ascending positions.
   */
  readonly quoteAt?: (at: number) => YamlQuote;
}

const SPECIAL = /[`[\]#\\<]/gu;
/** A tag must start a word and must not be only a number. */
const TAG = /^#([\p{L}\p{N}_][\p{L}\p{N}\p{M}_/-]*)/u;
const BEFORE_TAG = /[\s([{,;:"'!]/u;
const TAG_LENGTH_MAX = 100;
const TARGET_LENGTH_MAX = 1_000;
/** Link destinations: in angle brackets, or without spaces and with balanced parentheses. */
const DESTINATION = /^\(\s*(?:<([^<>\n]*)>|((?:[^\s()<>\\]|\\.|\([^\s()]*\))*))(?:\s+(?:"[^"]*"|'[^']*'))?\s*\)/u;
const ADDRESS = /^(?:[a-z][a-z\d+.-]*:|\/\/|#|$)/iu;

/** `[label]: target "title"`; `[^1]:` is a footnote. */
const DEFINITION =
  /^[\s>]*\[(?!\^)([^[\]]*[^[\]\s][^[\]]*)\]:\s*(?:<([^<>]*)>|([^\s<]\S*))(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s*$/du;
const ATTRIBUTE = /\s(href|src)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+))/dgiu;
/** Matches an HTML element up to its end or the end of the line, or the rest of an element from the previous line. */
const ELEMENT =
  /(?:<[a-z][a-z\d-]*)?(?:\s+[a-z_:][\w:.-]*(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*\s*(?:(\/?>)|$)/iuy;

/** Finds links and tags in a line, outside of `code`. Reads each character once. */
export function scanLine(content: string, place: LinePosition, scanned: Scanned): void {
  const { links, tags } = scanned;
  if (content.includes(']:') && takeDefinition(content, place, links)) return;
  const open: number[] = [];
  let at = nextSpecial(content, scanned.isInElement ? takeRest(content, place, scanned) : 0);
  while (at >= 0) {
    const character = content[at];
    let after = at + 1;
    if (character === '\\') after = at + 2;
    else if (character === '`') after = afterCode(content, at);
    else if (character === '#') after = takeTag(content, at, tags);
    else if (character === '<') after = takeElement(content, at, place, scanned);
    else if (character === '[' && content[at + 1] === '[') after = takeWikiLink(content, at, place, links);
    else if (character === '[') open.push(at);
    else if (character === ']') {
      const from = open.pop();
      if (content[at + 1] === '(') after = takeLink(content, from, at, place, links);
    }
    at = nextSpecial(content, after);
  }
}

const COMMENT_OR_CODE = /`|<!--/gu;
/** A comment that starts after other text ends in the same line. */
const MAY_CONTINUE = /^[\s>]*(?:[-*+] +)?$/u;

/** Replaces HTML comments outside of `code` with spaces. `isInComment` says whether the previous line ended in one. */
export function blankComments(content: string, isInComment: boolean): { content: string; isInComment: boolean } {
  if (!isInComment && !content.includes('<!--')) return { content, isInComment };
  let kept = '';
  let at = 0;
  for (let begin = isInComment ? 0 : nextComment(content, 0); begin >= 0; begin = nextComment(content, at)) {
    const before = kept + content.slice(at, begin);
    const end = content.indexOf('-->', begin);
    if (end < 0 && !MAY_CONTINUE.test(before)) break;
    kept = before;
    if (end < 0) return { content: kept + ' '.repeat(content.length - begin), isInComment: true };
    at = end + '-->'.length;
    kept += ' '.repeat(at - begin);
  }
  return { content: kept + content.slice(at), isInComment: false };
}

function nextComment(content: string, from: number): number {
  COMMENT_OR_CODE.lastIndex = from;
  for (let found = COMMENT_OR_CODE.exec(content); found !== null; found = COMMENT_OR_CODE.exec(content)) {
    if (found[0] !== '`') return found.index;
    COMMENT_OR_CODE.lastIndex = afterCode(content, found.index);
  }
  return -1;
}

/** Finds links in the HTML elements of a line that contains no Markdown. */
export function scanHtmlLine(content: string, place: LinePosition, scanned: Scanned): void {
  let after = scanned.isInElement ? takeRest(content, place, scanned) : 0;
  for (let at = content.indexOf('<', after); at >= 0; at = content.indexOf('<', after)) {
    after = takeElement(content, at, place, scanned);
  }
}

function nextSpecial(content: string, from: number): number {
  SPECIAL.lastIndex = from;
  return SPECIAL.exec(content)?.index ?? -1;
}

/** Code ends at a run of as many backticks as it starts with. Without such a run, the backticks are text. */
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

function takeWikiLink(content: string, at: number, place: LinePosition, links: NoteLink[]): number {
  const { start, line, quoteAt } = place;
  const ahead = content.slice(at + 2, at + 2 + TARGET_LENGTH_MAX);
  const inside = ahead.slice(0, Math.max(0, ahead.indexOf(']]')));
  if (inside === '' || inside.includes('[')) return at + 2;
  const bar = inside.indexOf('|');
  const written = bar < 0 ? inside : inside.slice(0, bar);
  // In a Markdown table, the bar is escaped: `[[target\|text]]`.
  const named = written.endsWith('\\') && bar >= 0 ? written.slice(0, -1) : written;
  const hash = named.indexOf('#');
  const file = hash < 0 ? named : named.slice(0, hash);
  const target = file.trim();
  if (target !== '') {
    const from = start + at + 2 + file.indexOf(target);
    const quote = quoteAt?.(at);
    links.push({
      kind: content[at - 1] === '!' ? 'embed' : 'wiki',
      target: unquoted(target, quote),
      part: hash < 0 ? null : named.slice(hash + 1).trim(),
      text: bar < 0 ? named.trim() : inside.slice(bar + 1).trim(),
      line,
      start: from,
      end: from + target.length,
      quote,
    });
  }
  return at + inside.length + 4;
}

function takeLink(
  content: string,
  open: number | undefined,
  at: number,
  place: LinePosition,
  links: NoteLink[],
): number {
  const rest = content.slice(at + 1, at + 1 + 2 * TARGET_LENGTH_MAX);
  const [all, inAngles, bare] = DESTINATION.exec(rest) ?? [];
  if (all === undefined) return at + 1;
  const written = inAngles ?? bare ?? '';
  const kind: LinkKind = open !== undefined && open > 0 && content[open - 1] === '!' ? 'image' : 'markdown';
  const text = open === undefined ? '' : content.slice(open + 1, at);
  addLink({ kind, written, text, at: at + 1 + all.indexOf(written, 1) }, place, links);
  return at + 1 + all.length;
}

/** Adds the target of a definition, such as `[label]: target`. Returns whether the line is a definition. */
function takeDefinition(content: string, place: LinePosition, links: NoteLink[]): boolean {
  const match = DEFINITION.exec(content);
  const range = match?.indices?.[2] ?? match?.indices?.[3];
  if (match === null || range === undefined) return false;
  addLink({ kind: 'markdown', written: content.slice(...range), text: match[1] ?? '', at: range[0] }, place, links);
  return true;
}

/** Continues an HTML element from the previous line. An element does not continue after an empty line. */
function takeRest(content: string, place: LinePosition, scanned: Scanned): number {
  scanned.isInElement = false;
  if (content.trim() === '') return 0;
  return takeElement(` ${content}`, 0, { ...place, start: place.start - 1 }, scanned) - 1;
}

function takeElement(content: string, at: number, place: LinePosition, scanned: Scanned): number {
  ELEMENT.lastIndex = at;
  const [element, close] = ELEMENT.exec(content) ?? [];
  if (element === undefined) return at + 1;
  scanned.isInElement = close === undefined;
  for (const match of element.matchAll(ATTRIBUTE)) {
    const range = match.indices?.slice(2).find((each) => each !== undefined);
    if (range === undefined) continue;
    const kind: LinkKind = match[1]?.toLowerCase() === 'src' ? 'image' : 'markdown';
    addLink({ kind, written: element.slice(...range), text: '', at: at + range[0] }, place, scanned.links);
  }
  return at + element.length;
}

interface WrittenTarget {
  readonly kind: LinkKind;
  /** The target as written, with escapes and `#part`. */
  readonly written: string;
  readonly text: string;
  /** Position in the line. */
  readonly at: number;
}

function addLink({ kind, written, text, at }: WrittenTarget, place: LinePosition, links: NoteLink[]): void {
  const hash = written.indexOf('#');
  const file = hash < 0 ? written : written.slice(0, hash);
  if (ADDRESS.test(written) || written.length > TARGET_LENGTH_MAX) return;
  const quote = place.quoteAt?.(at);
  links.push({
    kind,
    target: unescaped(unquoted(file, quote)),
    part: hash < 0 ? null : unescaped(written.slice(hash + 1)),
    text,
    line: place.line,
    start: place.start + at,
    end: place.start + at + file.length,
    quote,
  });
}

/** Returns a function that gives the YAML quotes around a position in a line. */
export function yamlQuotes(line: string): (at: number) => YamlQuote {
  let quote: YamlQuote = '';
  let index = 0;
  return (at) => {
    for (; index < at; index += 1) {
      const character = line[index];
      if (quote === '') {
        const isQuote = character === '"' || character === "'";
        if (isQuote && /^$|[:\-,[{]$/u.test(line.slice(0, index).trimEnd().slice(-1))) quote = character;
      } else if (character === '\\' && quote === '"') index += 1;
      else if (character === quote) {
        if (quote === "'" && line[index + 1] === "'") index += 1;
        else quote = '';
      }
    }
    return quote;
  };
}

/** YAML doubles a single quote inside single quotes. */
function unquoted(written: string, quote: YamlQuote | undefined): string {
  return quote === "'" ? written.replaceAll("''", "'") : written;
}

function unescaped(written: string): string {
  const plain = written.replaceAll(/\\([!-/:-@[-`{-~])/gu, '$1').replaceAll('&amp;', '&');
  try {
    return decodeURIComponent(plain).replaceAll('\0', '\u{fffd}');
  } catch {
    return plain;
  }
}
