import type { NoteSearch } from '../../../api/codex-queries.ts';
import type { Filters } from '../../../lib/filters.ts';

/** Parses several values from one URL parameter. Commas in values are escaped. */
export function listOf(text: string = ''): readonly string[] {
  return text.split(',').flatMap((part) => (part === '' ? [] : [part.replaceAll('%2C', ',').replaceAll('%25', '%')]));
}

export function textOf(values: readonly string[]): string {
  return [...new Set(values)].map((value) => value.replaceAll('%', '%25').replaceAll(',', '%2C')).join(',');
}

export function searchOf({
  q = '',
  tag,
  property,
  path = '',
  after = '',
  before = '',
  in: place,
}: Filters): NoteSearch {
  return {
    q: q.trim(),
    tags: listOf(tag),
    properties: listOf(property),
    path,
    after: dateOf(after),
    before: dateOf(before),
    isEverywhere: place === 'all',
  };
}

export function isEmpty({ q, tags, properties, path, after, before }: NoteSearch): boolean {
  return q + path + after + before === '' && tags.length + properties.length === 0;
}

function dateOf(text: string): string {
  return /^\d{4}-\d{2}-\d{2}$/u.test(text) ? text : '';
}

export interface Chip {
  readonly label: string;
  readonly without: Filters;
}

function others(values: readonly string[], value: string): string {
  return textOf(values.filter((each) => each !== value));
}

export function chipsOf({ tags, properties, path, after, before }: NoteSearch): readonly Chip[] {
  return [
    ...tags.map((tag) => ({ label: `#${tag}`, without: { tag: others(tags, tag) } })),
    ...properties.map((each) => ({ label: each.replace(':', ': '), without: { property: others(properties, each) } })),
    ...(path === '' ? [] : [{ label: `in ${path}`, without: { path: '' } }]),
    ...(after === '' ? [] : [{ label: `since ${after}`, without: { after: '' } }]),
    ...(before === '' ? [] : [{ label: `until ${before}`, without: { before: '' } }]),
  ];
}
