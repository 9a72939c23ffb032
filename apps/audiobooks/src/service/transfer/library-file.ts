import type { RecordDefinition, Transaction } from '@holdfast/keyspace';
import { linesOf, linesOfStream } from '../../adapters/read-text.ts';
import { type Book, bookShape } from '../../model/book.ts';
import { audiobookErrors } from '../../model/errors.ts';
import type { Operation, OperationOptions } from '../../model/operation.ts';
import { toTime } from '../../model/stored.ts';
import { writeBook } from '../../store/books.ts';
import { schema } from '../../store/definitions.ts';
import { type Audiobooks, stampFor } from '../audiobooks.ts';
import { importMetadata } from './import-metadata.ts';

/** First line of an export. */
const EXPORT_HEADER = { format: 'holdfast-audiobooks', version: 1 } as const;

/** In import order: referenced records come first. */
const EXPORTED = [
  'libraries',
  'authors',
  'narrators',
  'series',
  'works',
  'books',
  'segments',
  'fileFacts',
  'durationMaps',
  'assets',
  'history',
  'playlists',
  'playlistItems',
  'progress',
  'bookmarks',
  'playbackEvents',
] as const satisfies readonly (keyof typeof schema)[];

const COUNTERS = ['bookPlays', 'bookListenSeconds', 'userListenSeconds', 'workPlays', 'workListenSeconds'] as const;

const PAGE = 500;

/** Exports a snapshot as JSON lines, holding one page in memory at a time. */
export async function* exportLibrary({ store, now }: Audiobooks): AsyncGenerator<string, void, undefined> {
  const snapshot = await store.engine.snapshot();
  try {
    yield JSON.stringify({ ...EXPORT_HEADER, exported_at: toTime(now()), revision: snapshot.revision });
    for (const type of [...EXPORTED, ...COUNTERS]) {
      const { template } = schema[type];
      let { gte } = template.range({});
      const { lt } = template.range({});
      for (;;) {
        const entries = await snapshot.range({ gte, lt, limit: PAGE, reverse: false });
        for (const [key, stored] of entries) {
          if (template.matches(key)) yield JSON.stringify({ type, key, value: JSON.parse(String(stored)) as unknown });
        }
        const last = entries.at(-1);
        if (last === undefined || entries.length < PAGE) break;
        gte = `${last[0]}\u0001`;
      }
    }
  } finally {
    snapshot.release();
  }
}

const LINES_PER_COMMIT = 200;

interface ImportedLibrary {
  readonly records: number;
  readonly unchanged: number;
}

/** Recognises our export by its first line. */
export function isExport(firstLine: string): boolean {
  try {
    return (JSON.parse(firstLine) as { format?: unknown } | null)?.format === EXPORT_HEADER.format;
  } catch {
    return false;
  }
}

/** Imports an export under the same ids. Repeating it changes nothing; records that differ are replaced. */
export async function importLibrary(
  audiobooks: Audiobooks,
  lines: AsyncIterable<string> | Iterable<string>,
  onProgress: (records: number) => void = () => undefined,
): Promise<ImportedLibrary> {
  let records = 0;
  let unchanged = 0;
  let batch: ExportedRecord[] = [];
  const flush = async (): Promise<void> => {
    const entries = batch;
    batch = [];
    unchanged += await audiobooks.store.transact((tx) => importRecords(audiobooks, tx, entries));
    onProgress(records);
  };
  let isFirst = true;
  for await (const line of lines) {
    if (isFirst && !isExport(line)) throw audiobookErrors.IMPORT_INVALID('This is not an export of audiobooks.');
    if (!isFirst && line.trim() !== '') {
      batch.push(parseRecord(line));
      records += 1;
    }
    isFirst = false;
    if (batch.length >= LINES_PER_COMMIT) await flush();
  }
  await flush();
  return { records, unchanged };
}

/** Imports an uploaded export. */
export function importStream(audiobooks: Audiobooks, stream: ReadableStream<Uint8Array>): Promise<ImportedLibrary> {
  return importLibrary(audiobooks, linesOfStream(stream));
}

interface ExportedRecord {
  readonly type: keyof typeof schema;
  readonly key: string;
  readonly value: unknown;
}

function parseRecord(line: string): ExportedRecord {
  try {
    const parsed = JSON.parse(line) as ExportedRecord;
    if (typeof parsed.key === 'string' && Object.hasOwn(schema, parsed.type)) {
      if (schema[parsed.type].template.matches(parsed.key)) return parsed;
    }
  } catch (error) {
    throw audiobookErrors.IMPORT_INVALID('A line of the export is not JSON.', { cause: error });
  }
  throw audiobookErrors.IMPORT_INVALID(`The export has an unknown line: ${line.slice(0, 80)}`);
}

/** Returns how many existed already. */
async function importRecords(
  audiobooks: Audiobooks,
  tx: Transaction,
  entries: readonly ExportedRecord[],
): Promise<number> {
  let same = 0;
  for (const { type, key, value } of entries) {
    if ((await tx.readKey(key)) === JSON.stringify(value)) {
      same += 1;
    } else if (type === 'books') {
      await importBook(audiobooks, tx, value);
    } else if (EXPORTED.some((known) => known === type)) {
      const definition = schema[type] as RecordDefinition;
      await tx.put(definition, definition.template.decode(key) as never, value);
    } else {
      tx.writeKey(key, String(value));
    }
  }
  return same;
}

/** Uses `writeBook` to update the counters, then stores the record as exported. */
async function importBook(audiobooks: Audiobooks, tx: Transaction, value: unknown): Promise<void> {
  const checked = bookShape.safeParse(value);
  if (!checked.success) throw audiobookErrors.IMPORT_INVALID('A book of the export is damaged.');
  const book: Book = { ...checked.data, work_pinned: true };
  const before = await tx.get(schema.books, { id: book.id });
  await writeBook(tx, before, book, stampFor(audiobooks));
  await tx.put(schema.books, { id: book.id }, checked.data);
}

type Lines = AsyncIterable<string> | Iterable<string>;

interface ImportFileRequest extends OperationOptions {
  /** File path, or lines from elsewhere. */
  readonly source: string | { readonly name: string; readonly lines: Lines };
  readonly overwrite: boolean;
}

/** The first line decides between our export format and metadata. */
export async function importFile(
  audiobooks: Audiobooks,
  { source, ...request }: ImportFileRequest,
): Promise<ImportedLibrary | Operation> {
  const { first, lines } = await peek(typeof source === 'string' ? linesOf(source) : source.lines);
  if (isExport(first)) {
    return importLibrary(audiobooks, lines, (records) => request.onProgress?.(records, 0, 'records'));
  }
  return importMetadata(audiobooks, { ...request, lines, source: typeof source === 'string' ? source : source.name });
}

async function peek(lines: Lines) {
  const iterator = Symbol.asyncIterator in lines ? lines[Symbol.asyncIterator]() : lines[Symbol.iterator]();
  const { value, done } = await iterator.next();
  const first = done === true ? '' : value;
  async function* all(): AsyncGenerator<string, void, undefined> {
    yield first;
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
  }
  return { first, lines: all() };
}
