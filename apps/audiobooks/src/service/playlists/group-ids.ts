import type { Reads } from '@holdfast/keyspace';
import { authors, series } from '../../store/definitions.ts';

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/u;

/** Returns the author with this id or normalised name; undefined if there is none or several. */
export async function authorIdOf(reads: Reads, value: string): Promise<string | undefined> {
  if (ULID.test(value)) return value;
  const found = await reads.list(authors.by.name, { normalized_name: value }, { limit: 2 });
  return found.length === 1 ? found[0]?.id : undefined;
}

export async function seriesIdOf(reads: Reads, value: string): Promise<string | undefined> {
  if (ULID.test(value)) return value;
  const found = await reads.list(series.by.name, { normalized_name: value }, { limit: 2 });
  return found.length === 1 ? found[0]?.id : undefined;
}
