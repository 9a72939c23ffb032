import type { NoteLink } from './link.ts';
import { scanLine } from './scan-line.ts';

export interface Heading {
  readonly level: number;
  readonly text: string;
  readonly line: number;
}

export interface ScannedBody {
  readonly headings: readonly Heading[];
  readonly links: readonly NoteLink[];
  readonly tags: readonly string[];
}

/** Limit per file; the rest is ignored, because no note has more. */
const HEADINGS_MAX = 2_000;
const LINKS_MAX = 5_000;
const TAGS_MAX = 200;

const FENCE = /^[\s>]*(?:[-*+] +)?(`{3,}|~{3,})(.*)$/u;
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/u;
const UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/u;

/** Scans the lines of a Markdown text from `begin`, skipping code blocks. */
export function scanBody(text: string, begin: number, firstLine: number): ScannedBody {
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

/** Without `text`, the heading is the line before. */
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

/** Heading text without Markdown syntax. */
function plainText(markdown: string): string {
  return markdown
    .replaceAll(/!?\[\[([^[\]|]*)(?:\|([^[\]]*))?\]\]/gu, (_all, target: string, text?: string) => text ?? target)
    .replaceAll(/!?\[([^[\]]*)\]\([^()]*\)/gu, '$1')
    .replaceAll(/[*`]+|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, '')
    .trim();
}
