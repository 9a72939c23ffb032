import { readPageByOffset } from '@holdfast/base';
import { type Caller, type GivenTo, type InputOf, operationErrors, type OutputOf } from '@holdfast/operation';

import { type Filter, parseSearch, propertyFilter } from '../model/note/search-query.ts';
import { tagKey } from '../model/note/properties.ts';
import type { FileRecord, Notebook } from '../model/notebook.ts';
import { pathKey } from '../model/path.ts';
import { listNotebooks } from '../store/notebooks.ts';
import { countProperties, countTags, fileOfRow, type IndexedNote, indexedNote } from '../store/notes.ts';
import { HIT_END, HIT_START, searchNotes } from '../store/search-notes.ts';
import type { Transaction } from '../store/open.ts';
import type { Codex } from './codex.ts';
import { notebookFor } from './notebooks.ts';
import { afterEvent } from './submit.ts';
import { noteView, wholeList } from './views.ts';

import type * as operations from '../operations/notes.ts';

/** All given conditions must hold. */
export interface Search {
  readonly text?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  /** `name:value`, or only a name. */
  readonly properties?: readonly string[] | undefined;
  readonly path?: string | undefined;
  readonly after?: string | undefined;
  readonly before?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

interface SnippetPart {
  readonly text: string;
  readonly hit: boolean;
}

interface Hit {
  readonly file: FileRecord;
  readonly note: IndexedNote;
  readonly snippet: readonly SnippetPart[];
  readonly score: number;
}

export interface Hits {
  readonly hits: readonly Hit[];
  readonly cursor: string | undefined;
}

/** Limits the offset: each page costs as much as all before it. */
const OFFSET_MAX = 10_000;

export function search(tx: Transaction, notebookIds: readonly number[], asked: Search): Hits {
  const query = parseSearch(asked.text ?? '');
  const filters = [...query.filters, ...givenFilters(asked)];
  const isAnything = query.match !== undefined || query.mismatch !== undefined || filters.length > 0;
  if (!isAnything || notebookIds.length === 0) return { hits: [], cursor: undefined };
  const { data, next_cursor } = readPageByOffset(asked.limit, asked.cursor, (offset, limit) =>
    searchNotes(tx, { ...query, filters, notebookIds, offset: Math.min(offset, OFFSET_MAX), limit }),
  );
  const hits = data.flatMap(({ row, score, snippet }): Hit[] => {
    // A restore may have removed a file that is still indexed.
    const file = fileOfRow(tx, row);
    return file === undefined ? [] : [{ file, note: indexedNote(tx, file.id), snippet: partsOf(snippet), score }];
  });
  return { hits, cursor: next_cursor !== null && Number(next_cursor) < OFFSET_MAX ? next_cursor : undefined };
}

function givenFilters({ tags = [], properties = [], path, after, before }: Search): readonly Filter[] {
  const isNot = false;
  const filters: Filter[] = tags.map((tag) => ({ kind: 'tag', tag: tagKey(tag.replace(/^#/u, '')), isNot }));
  for (const property of properties) {
    const colon = property.indexOf(':');
    const [name, value] = colon < 0 ? [property, ''] : [property.slice(0, colon), property.slice(colon + 1)];
    filters.push(propertyFilter(name, value));
  }
  if (path !== undefined && path !== '') filters.push({ kind: 'path', prefix: pathKey(path), isNot });
  if (after !== undefined) filters.push({ kind: 'after', time: after, isNot });
  if (before !== undefined) filters.push({ kind: 'before', time: before, isNot });
  return filters;
}

function partsOf(snippet: string): readonly SnippetPart[] {
  const parts: SnippetPart[] = [];
  for (const [index, piece] of snippet.split(HIT_START).entries()) {
    const [hit, ...rest] = index === 0 ? ['', piece] : piece.split(HIT_END);
    if (hit !== undefined && hit !== '') parts.push({ text: hit, hit: true });
    const text = rest.join('');
    if (text !== '') parts.push({ text, hit: false });
  }
  return parts;
}

export async function searchNotebooks(
  codex: Codex,
  { query, notebook, after_event, ...rest }: InputOf<typeof operations.search>,
  caller: Caller,
): Promise<OutputOf<typeof operations.search>> {
  for (const time of [rest.after, rest.before]) requireTime(time);
  await afterEvent(codex, after_event, caller);
  const isOne = notebook !== undefined || codex.defaults.notebook !== undefined;
  const notebooks = isOne ? [notebookFor(codex, notebook)] : listNotebooks(codex.store.reader);
  await catchUp(codex, notebooks);
  const names = new Map(notebooks.map(({ id, name }) => [id, name]));
  const { hits, cursor } = search(codex.store.reader, [...names.keys()], { ...rest, text: query });
  const data = hits.map(({ file, note, snippet, score }) => ({
    file: noteView(file, note),
    notebook: names.get(file.notebook_id) ?? '',
    snippet,
    score,
  }));
  return { data, next_cursor: cursor ?? null };
}

const TIME = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)?)?$/u;

function requireTime(time: string | undefined): void {
  if (time === undefined || (TIME.test(time) && !Number.isNaN(Date.parse(time)))) return;
  throw operationErrors.INPUT_INVALID(`${JSON.stringify(time)} is not a day or time, such as 2026-01-31`);
}

/** Without a server in the background, the index may miss recent changes. */
async function catchUp(codex: Codex, notebooks: readonly Notebook[]): Promise<void> {
  if (codex.isRunning) return;
  for (const notebook of notebooks) await codex.notes.catchUp(notebook);
}

export async function listTags(
  codex: Codex,
  { notebook: name }: GivenTo<typeof operations.listTags>,
): Promise<OutputOf<typeof operations.listTags>> {
  const notebook = notebookFor(codex, name);
  await catchUp(codex, [notebook]);
  const counted = countTags(codex.store.reader, notebook.id);
  return wholeList(counted.map(({ name: tag, count }) => ({ tag, count })));
}

export async function listProperties(
  codex: Codex,
  { notebook: name }: GivenTo<typeof operations.listProperties>,
): Promise<OutputOf<typeof operations.listProperties>> {
  const notebook = notebookFor(codex, name);
  await catchUp(codex, [notebook]);
  const counted = countProperties(codex.store.reader, notebook.id);
  return wholeList(counted.map(({ name: key, count }) => ({ key, count })));
}
