import { afterKey, type RecordDefinition, type Template, type Transaction } from '@holdfast/keyspace';
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

type Exported = Exclude<
  keyof typeof schema,
  'version' | 'migrating' | 'migrationRecords' | 'encryption' | 'bookCounts' | 'libraryCounts' | 'clientSignIns'
>;

/** Record types that are not exported: the importing database has its own, or derives them from other records. */
const OWN: ReadonlySet<string> = new Set([
  'version',
  'migrating',
  'migrationRecords',
  'encryption',
  'bookCounts',
  'libraryCounts',
  // Sign-ins belong to tokens in the accounts database, which is not exported.
  'clientSignIns',
]);

/** In import order: the schema defines each record type before the types that refer to it. */
const EXPORTED = Object.keys(schema).filter((type) => !OWN.has(type)) as readonly Exported[];

const PAGE = 500;

/** Exports a snapshot as JSON lines; holds only one page in memory at a time. Skips unfinished operations. */
export async function* exportLibrary({ store, now }: Audiobooks): AsyncGenerator<string, void, undefined> {
  const snapshot = await store.engine.snapshot();
  const unfinished = new Set((await store.list(schema.operations.by.open, {})).map(({ id }) => id));
  try {
    yield JSON.stringify({ ...EXPORT_HEADER, exported_at: toTime(now()), revision: await snapshot.revision() });
    for (const [type, template] of EXPORTED.flatMap((name) => templatesOf(name).map((one) => [name, one] as const))) {
      let { gte } = template.range({});
      const { lt } = template.range({});
      for (;;) {
        const entries = await snapshot.range({ gte, lt, limit: PAGE, reverse: false });
        for (const [key, stored] of entries) {
          if (!template.matches(key) || isOfOperation(key, unfinished)) continue;
          const value: unknown = type === 'eventIds' ? String(stored) : JSON.parse(String(stored));
          yield JSON.stringify({ type, key, value });
        }
        const last = entries.at(-1);
        if (last === undefined || entries.length < PAGE) break;
        gte = afterKey(last[0]);
      }
    }
  } finally {
    snapshot.release();
  }
}

/** A log has two key templates: one for its entries and one for the number of the last entry. */
function templatesOf(type: Exported): readonly Template[] {
  const definition = schema[type];
  return 'counter' in definition ? [definition.template, definition.counter.template] : [definition.template];
}

function isOfOperation(key: string, ids: ReadonlySet<string>): boolean {
  const [prefix = '', id = ''] = key.split(':');
  return ids.size > 0 && prefix.startsWith('op') && ids.has(id);
}

const LINES_PER_COMMIT = 200;

interface ImportedLibrary {
  readonly records: number;
  readonly unchanged: number;
}

/** Returns whether the first line of a file is the header of our export. */
export function isExport(firstLine: string): boolean {
  try {
    return (JSON.parse(firstLine) as { format?: unknown } | null)?.format === EXPORT_HEADER.format;
  } catch {
    return false;
  }
}

/** Imports an export under the same ids, and replaces records that differ. Importing it again changes nothing. */
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
    if (isFirst && !isExport(line)) throw audiobookErrors.IMPORT_INVALID('The file is not an audiobooks export.');
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
  readonly type: Exported;
  readonly key: string;
  readonly value: unknown;
}

function parseRecord(line: string): ExportedRecord {
  try {
    const parsed = JSON.parse(line) as ExportedRecord;
    const isKnown = typeof parsed.key === 'string' && EXPORTED.includes(parsed.type);
    if (isKnown && templatesOf(parsed.type).some((template) => template.matches(parsed.key))) return parsed;
  } catch (error) {
    throw audiobookErrors.IMPORT_INVALID('A line of the export is not valid JSON.', { cause: error });
  }
  throw audiobookErrors.IMPORT_INVALID(`The export has an unknown line: ${line.slice(0, 80)}`);
}

/** Imports records; returns how many of them already existed. */
async function importRecords(
  audiobooks: Audiobooks,
  tx: Transaction,
  entries: readonly ExportedRecord[],
): Promise<number> {
  let same = 0;
  for (const { type, key, value } of entries) {
    const stored = typeof value === 'string' ? value : JSON.stringify(value);
    if ((await tx.readKey(key)) === stored) same += 1;
    else if (type === 'books') await importBook(audiobooks, tx, value);
    else if (isIndexed(schema[type])) await importRecord(tx, schema[type] as RecordDefinition, key, value);
    else tx.writeKey(key, stored);
  }
  return same;
}

function isIndexed(definition: object): boolean {
  return 'indexes' in definition && (definition.indexes as readonly unknown[]).length > 0;
}

/**
 * Adds a record with its index entries. Takes key fields from the record if it has them, because keys shorten long
 * texts.
 */
async function importRecord(tx: Transaction, definition: RecordDefinition, key: string, value: unknown): Promise<void> {
  const fields = Object.entries(definition.template.decode(key) ?? {});
  const own = value as Readonly<Record<string, unknown>>;
  await tx.put(definition, Object.fromEntries(fields.map(([name, part]) => [name, own[name] ?? part])), value);
}

/** Uses `writeBook` to update the counters, then stores the record as exported. */
async function importBook(audiobooks: Audiobooks, tx: Transaction, value: unknown): Promise<void> {
  const checked = bookShape.safeParse(value);
  if (!checked.success) throw audiobookErrors.IMPORT_INVALID('A book in the export is damaged.');
  const book: Book = { ...checked.data, work_pinned: true };
  const before = await tx.get(schema.books, { id: book.id });
  await writeBook(tx, before, book, stampFor(audiobooks));
  await tx.put(schema.books, { id: book.id }, checked.data);
}

type Lines = AsyncIterable<string> | Iterable<string>;

interface ImportFileRequest extends OperationOptions {
  /** The path of a file, or lines from another source. */
  readonly source: string | { readonly name: string; readonly lines: Lines };
  readonly overwrite: boolean;
}

/** Imports a file. Its first line shows whether it is our export or metadata. */
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
