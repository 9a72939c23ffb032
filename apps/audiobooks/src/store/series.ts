import type { Reads, Transaction } from '@holdfast/keyspace';
import { normalizeText, sortKey } from '../model/normalize.ts';
import type { Series } from '../model/series.ts';
import { series } from './definitions.ts';
import type { Stamp } from './people.ts';

/** Bounds the number of same-named series that a lookup reads. */
const SAME_NAME_MAX = 50;

async function seriesNamed(reads: Reads, name: string): Promise<readonly Series[]> {
  const normalized = normalizeText(name);
  const named = await reads.list(series.by.name, { normalized_name: normalized }, { limit: SAME_NAME_MAX });
  if (named.length > 0) return named;
  return reads.list(series.by.alias, { alias: normalized }, { limit: SAME_NAME_MAX });
}

/** Matches name and author, because two authors may each have a "Foundation". */
async function findSeries(reads: Reads, name: string, authorIds: readonly string[]): Promise<Series | undefined> {
  const named = await seriesNamed(reads, name);
  const own = named.find(({ author_id: author }) => author !== null && authorIds.includes(author));
  return own ?? named.find(({ author_id: author }) => author === null || authorIds.length === 0);
}

export async function findOrCreateSeries(
  tx: Transaction,
  name: string,
  authorIds: readonly string[],
  stamp: Stamp,
): Promise<Series> {
  const found = await findSeries(tx, name, authorIds);
  if (found !== undefined) return found;
  const made: Series = {
    id: stamp.newId(),
    name,
    normalized_name: normalizeText(name),
    sort_name: sortKey(name),
    author_id: authorIds[0] ?? null,
    aliases: [],
    created_at: stamp.at,
    updated_at: stamp.at,
    version: 2,
  };
  await tx.put(series, { id: made.id }, made);
  return made;
}
