import { join } from 'node:path';

import { type Audiobooks, browseBooks, localListener, openAudiobooks, schema, shelvesOf } from '@holdfast/audiobooks';
import { type Engine, Keyspace } from '@holdfast/keyspace';
import { Connection } from '@holdfast/sqlite';

import { compare, type Context, type Figure, ratioFigure } from '../lib/harness.ts';
import { ASKING, generateLibrary, generateListening } from './generated.ts';

const BOOKS = 600;
const PAGE = 50;

type Ask = (audiobooks: Audiobooks) => Promise<unknown>;

/**
 * Workload: a page of 50 books, a search with 50 results, and the home page of a listener, in a library of 600 books.
 * Baseline: SQL statements that read the same rows through the driver alone, with JSON.parse for each value. The rows
 * are recorded while the request runs once.
 */
export async function benchmark(context: Context): Promise<readonly Figure[]> {
  const made = await generateLibrary(context.folder, 'library', BOOKS, context.progress);
  await generateListening(made, 20 * BOOKS, context.progress);
  await made.close();
  const path = join(context.folder, 'library.db');
  const audiobooks = await openAudiobooks({ path });
  const listener = localListener(ASKING);
  const requests: readonly (readonly [string, Ask])[] = [
    ['page', (app) => browseBooks(app, listener, { limit: PAGE })],
    ['search', (app) => browseBooks(app, listener, { q: 'title', limit: PAGE })],
    ['home', (app) => shelvesOf(app, listener)],
  ];
  const bare = new Connection(path);
  const index = new Connection(join(context.folder, 'library-search.db'));
  const figures: Figure[] = [];
  const timing = context.quick ? { rounds: 3, warmUpRounds: 1 } : { rounds: 101, warmUpRounds: 20 };
  for (const [name, ask] of requests) {
    const rows = await rowsRead(audiobooks, ask);
    const searching = name === 'search' ? () => searchRows(index) : () => undefined;
    const compared = await compare({
      operations: 5,
      ...timing,
      ours: () => ask(audiobooks),
      baseline: () => {
        searching();
        readBare(bare, rows);
      },
    });
    figures.push(ratioFigure(`audiobooks.read.${name}`, compared, `bare SQL, ${rows.count} rows`, 3));
  }
  bare.close();
  index.close();
  await audiobooks.close();
  return figures;
}

interface Rows {
  readonly keys: readonly string[];
  readonly ranges: readonly Parameters<Engine['range']>[0][];
  readonly count: number;
}

/** Runs a request once on an engine that records what is read. */
async function rowsRead(audiobooks: Audiobooks, ask: Ask): Promise<Rows> {
  const keys: string[] = [];
  const ranges: Parameters<Engine['range']>[0][] = [];
  let count = 0;
  const { engine } = audiobooks.store;
  const recorded: Engine = {
    ...engine,
    async snapshot() {
      const snapshot = await engine.snapshot();
      return {
        ...snapshot,
        get: (key) => {
          keys.push(key);
          count += 1;
          return snapshot.get(key);
        },
        getMany: (many) => {
          keys.push(...many);
          count += many.length;
          return snapshot.getMany(many);
        },
        range: async (range) => {
          ranges.push(range);
          const entries = await snapshot.range(range);
          count += entries.length;
          return entries;
        },
        release: () => snapshot.release(),
      };
    },
  };
  const store = new Keyspace(recorded, schema);
  await ask({ ...audiobooks, store, reader: store.leavingOut(() => undefined) });
  return { keys, ranges, count };
}

function readBare(connection: Connection, { keys, ranges }: Rows): void {
  for (const { gte, lt, limit, reverse } of ranges) {
    const order = reverse ? 'DESC' : 'ASC';
    const sql = `SELECT key, value FROM keyspace WHERE key >= ? AND key < ? ORDER BY key ${order} LIMIT ?`;
    for (const [, value] of connection.allExact(sql, gte, lt, limit)) parsed(value);
  }
  for (const key of keys)
    for (const [value] of connection.allExact('SELECT value FROM keyspace WHERE key = ?', key)) parsed(value);
}

/** Index values are plain text. */
function parsed(value: unknown): unknown {
  return typeof value === 'string' && value.startsWith('{') ? JSON.parse(value) : value;
}

function searchRows(index: Connection): unknown {
  return index.allExact(
    `SELECT search_book.id FROM search_text JOIN search_book ON search_book.row = search_text.rowid
     WHERE search_text MATCH '("title"*)' ORDER BY bm25(search_text, 10, 6, 4, 5, 2, 1), search_text.rowid LIMIT ?`,
    PAGE + 1,
  );
}
