import { type Page, readPageByOffset } from '@holdfast/base';
import { type Caller, operationErrors } from '@holdfast/operation';

import { joinCjk } from '../model/note/cjk.ts';
import { type Filter, parseSearch, propertyFilter, searchTime } from '../model/note/search-query.ts';
import { tagKey } from '../model/note/properties.ts';
import type { FileRecord, Notebook } from '../model/notebook.ts';
import { pathKey } from '../model/path.ts';
import type { InNotebook } from '../operations/fields.ts';
import type * as operations from '../operations/notes.ts';
import { listNotebooks } from '../store/notebooks.ts';
import { countProperties, countTags, fileOfRow, type IndexedNote, indexedNote } from '../store/notes.ts';
import { HIT_END, HIT_START, searchNotes } from '../store/search-notes.ts';
import type { Transaction } from '../store/open.ts';
import type { Codex } from './codex.ts';
import { compareNew } from './files.ts';
import { notebookFor } from './notebooks.ts';
import { afterEvent } from './submit.ts';
import { noteView, singlePage } from './views.ts';

type Snippet = operations.SearchHit['snippet'];
/** All given conditions must hold. */
export type Search = Omit<operations.SearchInput, 'notebook' | 'after_event'>;

interface Hit {
  readonly file: FileRecord;
  readonly note: IndexedNote;
  readonly snippet: Snippet;
  readonly score: number;
}

/** Limits the offset, because each page costs as much as all pages before it. */
const OFFSET_MAX = 10_000;

export function search(tx: Transaction, notebookIds: readonly number[], asked: Search): Page<Hit> {
  const query = parseSearch(asked.query);
  const filters = [...query.filters, ...givenFilters(asked)];
  const isAnything = query.match !== undefined || query.mismatch !== undefined || filters.length > 0;
  if (!isAnything || notebookIds.length === 0) return singlePage([]);
  const { data, next_cursor } = readPageByOffset(asked.limit, asked.cursor, (offset, limit) =>
    searchNotes(tx, { ...query, filters, notebookIds, offset: Math.min(offset, OFFSET_MAX), limit }),
  );
  const hits = data.flatMap(({ row, score, snippet }): Hit[] => {
    // A restore of the database may have removed a file that is still indexed.
    const file = fileOfRow(tx, row);
    return file === undefined ? [] : [{ file, note: indexedNote(tx, file.id), snippet: partsOf(snippet), score }];
  });
  return { data: hits, next_cursor: Number(next_cursor) < OFFSET_MAX ? next_cursor : null };
}

function givenFilters({ tags, properties, path, after, before }: Search): readonly Filter[] {
  const isNot = false;
  const filters: Filter[] = tags.map((tag) => ({ kind: 'tag', tag: tagKey(tag.replace(/^#/u, '')), isNot }));
  for (const property of properties) {
    const colon = property.indexOf(':');
    const [name, value] = colon < 0 ? [property, ''] : [property.slice(0, colon), property.slice(colon + 1)];
    filters.push(propertyFilter(name, value));
  }
  if (path !== undefined && path !== '') filters.push({ kind: 'path', prefix: pathKey(path), isNot });
  if (after !== undefined) filters.push({ kind: 'after', time: requireTime(after), isNot });
  if (before !== undefined) filters.push({ kind: 'before', time: requireTime(before), isNot });
  return filters;
}

function partsOf(snippet: string): Snippet {
  const parts: Snippet[number][] = [];
  for (const [index, piece] of joinCjk(snippet).split(HIT_START).entries()) {
    const [hit, ...rest] = index === 0 ? ['', piece] : piece.split(HIT_END);
    if (hit !== undefined && hit !== '') parts.push({ text: hit, hit: true });
    const text = rest.join('');
    if (text !== '') parts.push({ text, hit: false });
  }
  return parts;
}

export async function searchNotebooks(
  codex: Codex,
  { notebook, after_event, ...asked }: operations.SearchInput,
  caller: Caller,
): Promise<Page<operations.SearchHit>> {
  await afterEvent(codex, after_event, caller);
  const isOne = notebook !== undefined || codex.defaults.notebook !== undefined;
  const notebooks = isOne ? [notebookFor(codex, notebook)] : listNotebooks(codex.store.reader);
  await catchUp(codex, notebooks);
  const names = new Map(notebooks.map(({ id, name }) => [id, name]));
  const page = search(codex.store.reader, [...names.keys()], asked);
  const data = page.data.map(({ file, note, snippet, score }) => ({
    file: noteView(file, note),
    notebook: names.get(file.notebook_id) ?? '',
    snippet,
    score,
  }));
  return { ...page, data };
}

function requireTime(given: string): string {
  const time = searchTime(given);
  if (time !== undefined) return time;
  throw operationErrors.INPUT_INVALID(`${JSON.stringify(given)} is not a year, month, day or time such as 2026-01-31`);
}

/** Updates the index first if this process runs no background workers, as in a command. */
async function catchUp(codex: Codex, notebooks: readonly Notebook[]): Promise<void> {
  if (codex.isRunning) return;
  for (const notebook of notebooks) {
    await compareNew(codex, notebook);
    await codex.notes.catchUp(notebook);
  }
}

export async function listTags(
  codex: Codex,
  { notebook: name }: InNotebook,
): Promise<Page<{ readonly tag: string; readonly count: number }>> {
  const notebook = notebookFor(codex, name);
  await catchUp(codex, [notebook]);
  const counted = countTags(codex.store.reader, notebook.id);
  return singlePage(counted.map(({ name: tag, count }) => ({ tag, count })));
}

export async function listProperties(
  codex: Codex,
  { notebook: name }: InNotebook,
): Promise<Page<{ readonly key: string; readonly count: number }>> {
  const notebook = notebookFor(codex, name);
  await catchUp(codex, [notebook]);
  const counted = countProperties(codex.store.reader, notebook.id);
  return singlePage(counted.map(({ name: key, count }) => ({ key, count })));
}
