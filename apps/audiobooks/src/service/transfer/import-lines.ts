import { linesOf } from '../../adapters/lines.ts';
import type { Operation, OperationOptions } from '../../model/operation.ts';
import type { Audiobooks } from '../audiobooks.ts';
import { type ImportedLibrary, importLibrary, isExport } from './import-library.ts';
import { importMetadata } from './import-metadata.ts';

type Lines = AsyncIterable<string> | Iterable<string>;

export interface ImportFileRequest extends OperationOptions {
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
