import type { SqlValue } from '@holdfast/sqlite';

import type { Filter, SearchQuery } from '../model/note/search-query.ts';
import { rowsOf } from './notes.ts';
import type { Transaction } from './open.ts';

interface FoundNote {
  readonly row: number;
  readonly score: number;
  /** Contains `HIT_START` and `HIT_END` around each hit. */
  readonly snippet: string;
}

interface SearchRequest extends SearchQuery {
  readonly notebookIds: readonly number[];
  readonly offset: number;
  readonly limit: number;
}

/**
 * Control characters that surround each hit. Texts rarely contain them; a text that does is still shown as plain text.
 */
export const HIT_START = '\u0002';
export const HIT_END = '\u0003';

const WORDS_SHOWN = 24;
const LETTERS_SHOWN = 200;
/** Weights of title, name, tags, properties and text. A hit in the title counts ten times as much as in the text. */
const RANK = 'bm25(10.0, 5.0, 4.0, 2.0, 1.0)';

/** Returns matching notes, best first; without words, newest first. */
export function searchNotes(tx: Transaction, request: SearchRequest): readonly FoundNote[] {
  return request.match === undefined ? filteredNotes(tx, request) : rankedNotes(tx, request, request.match);
}

interface Conditions {
  readonly sql: string;
  readonly parameters: readonly SqlValue[];
}

function rankedNotes(tx: Transaction, request: SearchRequest, match: string): readonly FoundNote[] {
  const { sql, parameters } = conditions(request.filters, 't.rowid');
  const ids = request.notebookIds;
  return tx.all<FoundNote>(
    `SELECT t.rowid AS row, -t.rank AS score,
       snippet(note_text, -1, '${HIT_START}', '${HIT_END}', '…', ${WORDS_SHOWN}) AS snippet
     FROM note_text t
     WHERE note_text MATCH ? AND t.rank MATCH '${RANK}' AND t.rowid BETWEEN ? AND ? ${sql}
     ORDER BY t.rank LIMIT ? OFFSET ?`,
    match,
    rowsOf(Math.min(...ids)).first,
    rowsOf(Math.max(...ids)).last,
    ...parameters,
    request.limit,
    request.offset,
  );
}

function filteredNotes(tx: Transaction, request: SearchRequest): readonly FoundNote[] {
  const { sql, parameters } = conditions(request.filters, 'i.row');
  const base = candidates(request.filters);
  const mismatch =
    request.mismatch === undefined ? '' : 'AND i.row NOT IN (SELECT rowid FROM note_text WHERE note_text MATCH ?)';
  return tx.all<FoundNote>(
    `SELECT i.row AS row, 0 AS score, (SELECT substr(body, 1, ${LETTERS_SHOWN}) FROM note_text WHERE rowid = i.row) AS snippet
     FROM note_index i JOIN files f ON f.id = i.file_id
     WHERE i.row IN (${base.sql}) AND f.deleted_by IS NULL ${sql} ${mismatch}
     ORDER BY f.updated_at DESC, f.id LIMIT ? OFFSET ?`,
    JSON.stringify(request.notebookIds),
    ...base.parameters,
    ...parameters,
    ...(request.mismatch === undefined ? [] : [request.mismatch]),
    request.limit,
    request.offset,
  );
}

const IN_NOTEBOOKS = 'notebook_id IN (SELECT value FROM json_each(?))';

/** Returns the rows that match one indexed filter; the other filters then check only these. */
function candidates(filters: readonly Filter[]): Conditions {
  for (const filter of filters) {
    if (filter.isNot) continue;
    if (filter.kind === 'tag') {
      const sql = `SELECT row FROM note_tags WHERE ${IN_NOTEBOOKS} AND (tag_key = ? OR (tag_key >= ? AND tag_key < ?))`;
      return { sql, parameters: [filter.tag, `${filter.tag}/`, `${filter.tag}0`] };
    }
    if (filter.kind === 'property' && filter.value !== undefined) {
      const sql = `SELECT row FROM note_properties WHERE ${IN_NOTEBOOKS} AND key = ? AND value = ?`;
      return { sql, parameters: [filter.key, filter.value] };
    }
  }
  const sql =
    'SELECT n.row FROM json_each(?) j JOIN note_index n ON n.row BETWEEN j.value << 32 AND ((j.value + 1) << 32) - 1';
  return { sql, parameters: [] };
}

function conditions(filters: readonly Filter[], row: string): Conditions {
  const parts = filters.map((filter) => condition(filter, row));
  return {
    sql: parts.map(({ sql }, index) => `AND ${filters[index]?.isNot === true ? 'NOT ' : ''}${sql}`).join(' '),
    parameters: parts.flatMap(({ parameters }) => parameters),
  };
}

function condition(filter: Filter, row: string): Conditions {
  const notebook = `${row} >> 32`;
  const file = `SELECT 1 FROM note_index n JOIN files x ON x.id = n.file_id WHERE n.row = ${row}`;
  switch (filter.kind) {
    case 'tag': {
      const of = `SELECT 1 FROM note_tags g WHERE g.notebook_id = ${notebook} AND g.row = ${row}`;
      const sql = `(EXISTS (${of} AND g.tag_key = ?) OR EXISTS (${of} AND g.tag_key >= ? AND g.tag_key < ?))`;
      return { sql, parameters: [filter.tag, `${filter.tag}/`, `${filter.tag}0`] };
    }
    case 'property': {
      const of = `SELECT 1 FROM note_properties p WHERE p.notebook_id = ${notebook} AND p.row = ${row} AND p.key = ?`;
      if (filter.value === undefined) return { sql: `EXISTS (${of})`, parameters: [filter.key] };
      return { sql: `EXISTS (${of} AND p.value = ?)`, parameters: [filter.key, filter.value] };
    }
    case 'path':
      return {
        sql: `EXISTS (${file} AND x.path_key >= ? AND x.path_key < ?)`,
        parameters: [filter.prefix, `${filter.prefix}\u{10ffff}`],
      };
    case 'after':
      return { sql: `EXISTS (${file} AND x.updated_at >= ?)`, parameters: [filter.time] };
    case 'before':
    default:
      return { sql: `EXISTS (${file} AND x.updated_at < ?)`, parameters: [filter.time] };
  }
}
