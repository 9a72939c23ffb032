import { findFrontMatter } from './front-matter.ts';
import { type Properties, readProperties } from './read-properties.ts';
import type { NoteLink } from './link.ts';
import { type Heading, scanBody } from './scan-body.ts';
import { tagsOf } from './tags.ts';

export type { LinkKind, NoteLink } from './link.ts';
export type { Properties } from './read-properties.ts';

export interface ParsedNote {
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
