import type { Caller, FoundItem } from '@holdfast/operation';

import type { Everything } from '../operations/overview.ts';
import { askAll } from './overviews.ts';

interface Found {
  readonly data: readonly FoundItem[];
  readonly unavailable: readonly string[];
}

/** Returns the best matches of all applications that the caller may read; among equal matches, the newest first. */
export async function find(
  everything: Everything,
  { q, limit }: { readonly q: string; readonly limit: number },
  caller: Caller,
): Promise<Found> {
  const words = q.split(/\s+/u).filter((word) => word !== '');
  if (words.length === 0) return { data: [], unavailable: [] };
  const { items, unavailable } = await askAll(everything, caller, (each) => each.find({ words, limit }, caller));
  const best = items.toSorted(
    (left, right) => right.score - left.score || (right.at ?? '').localeCompare(left.at ?? ''),
  );
  return { data: best.slice(0, limit), unavailable };
}
