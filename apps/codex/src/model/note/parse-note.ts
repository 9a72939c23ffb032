import { findFrontMatter, type Properties, PROPERTIES_BYTES_MAX, readProperties, tagsOf } from './properties.ts';
import { blankComments, type NoteLink, type Scanned, scanHtmlLine, scanLine, yamlQuotes } from './scan-line.ts';

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
  /** Ids of blocks (` ^id` at the end of a line) and of HTML elements. */
  readonly ids: readonly string[];
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
  const scanned: Scanned = { links: [], tags: [], isInElement: false };
  if (front !== undefined) scanProperties(source, front.start, front.end, scanned);
  const ids: string[] = [];
  const headings = scanBody(source, body, 1 + countLines(source, body), { ...scanned, ids });
  return {
    properties,
    propertiesError: error,
    title: titleIn(properties) ?? (headings.find(({ text }) => text !== '')?.text.slice(0, TITLE_LENGTH_MAX) || null),
    description: descriptionIn(properties),
    tags: tagsOf(properties, scanned.tags.slice(0, TAGS_MAX)),
    headings,
    ids,
    links: scanned.links,
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

interface Heading {
  readonly level: number;
  readonly text: string;
  readonly line: number;
}

/** Limits per file, above what real notes contain. Further headings, links, tags and ids are ignored. */
const HEADINGS_MAX = 2_000;
const LINKS_MAX = 5_000;
const TAGS_MAX = 200;
const IDS_MAX = 2_000;

const FENCE = /^[\s>]*(?:[-*+] +)?(`{3,}|~{3,})(.*)$/u;
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/u;
const UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/u;
/**
 * These elements contain no Markdown, so a fence inside them is text. The block ends with the line that contains an end
 * tag.
 */
const RAW_HTML = /^ {0,3}<(?:pre|script|style|textarea)(?=[\s>]|$)/iu;
const RAW_HTML_END = /<\/(?:pre|script|style|textarea)>/iu;

/** Finds links in the values of properties. Does not look for tags, because only the property `tags` contains them. */
function scanProperties(text: string, begin: number, end: number, scanned: Scanned): void {
  const source = text.slice(begin, end);
  if (source.length > PROPERTIES_BYTES_MAX || !/\[\[|\]\(/u.test(source)) return;
  let start = begin;
  for (const [index, line] of source.split('\n').entries()) {
    const found: Scanned = { links: scanned.links, tags: [], isInElement: false };
    scanLine(line.replace(/\r$/u, ''), { start, line: index + 2, quoteAt: yamlQuotes(line) }, found);
    start += line.length + 1;
  }
}

/** Scans the lines of a Markdown text from `begin`, skipping code blocks, raw HTML and HTML comments. Returns the headings. */
function scanBody(text: string, begin: number, firstLine: number, scanned: ScannedBody): readonly Heading[] {
  const headings: Heading[] = [];
  let fence: string | undefined;
  let isRaw = false;
  let isInComment = false;
  let paragraph = '';
  let line = firstLine;
  for (let start = begin; start < text.length; line += 1) {
    const newline = text.indexOf('\n', start);
    const next = newline < 0 ? text.length : newline + 1;
    const end = newline < 0 ? text.length : text[newline - 1] === '\r' && newline > start ? newline - 1 : newline;
    const written = text.slice(start, end);
    const blanked: ReturnType<typeof blankComments> =
      fence === undefined && !isRaw ? blankComments(written, isInComment) : { content: written, isInComment };
    isInComment = blanked.isInComment;
    const { content } = blanked;
    const mark = content.includes('```') || content.includes('~~~') ? FENCE.exec(content) : null;
    if (fence !== undefined) {
      if (mark !== null && closes(fence, mark)) fence = undefined;
    } else if (isRaw || (content.includes('<') && RAW_HTML.test(content))) {
      isRaw = !RAW_HTML_END.test(content);
      paragraph = '';
      takeId(content, scanned.ids);
      if (scanned.links.length < LINKS_MAX) scanHtmlLine(content, { start, line }, scanned);
    } else if (mark !== null && opens(mark)) {
      fence = mark[1];
      paragraph = '';
    } else {
      // A line that consists of a dash and a comment is a list item, not an underline.
      const found = headingOf(content, content === written ? paragraph : '');
      if (found !== undefined && headings.length < HEADINGS_MAX) {
        const isUnderlined = found.text === undefined;
        headings.push({
          level: found.level,
          text: plainText(found.text ?? paragraph),
          line: isUnderlined ? line - 1 : line,
        });
      }
      paragraph = found === undefined ? content.trim() : '';
      takeId(content, scanned.ids);
      if (scanned.links.length < LINKS_MAX) scanLine(content, { start, line }, scanned);
    }
    start = next;
  }
  return headings;
}

interface ScannedBody extends Scanned {
  readonly ids: string[];
}

const BLOCK_ID = /(?:^|\s)(\^[A-Za-z\d-]+)\s*$/u;
const ELEMENT_ID = /<[^<>]*\s(?:id|name)\s*=\s*["']?([^\s"'<>]+)/iu;

function takeId(content: string, ids: string[]): void {
  const id = ids.length < IDS_MAX ? idOf(content) : undefined;
  if (id !== undefined) ids.push(id);
}

function idOf(content: string): string | undefined {
  if (content.includes('^')) return BLOCK_ID.exec(content.slice(-200))?.[1];
  return content.includes('<') ? ELEMENT_ID.exec(content)?.[1] : undefined;
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
