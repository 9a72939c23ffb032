import type { ActivityItem, Caller, FoundItem } from '@holdfast/operation';

import type { Everything } from '../operations/overview.ts';
import { askAll } from './overviews.ts';

interface Found {
  readonly data: readonly FoundItem[];
  readonly unavailable: readonly string[];
}

/**
 * Returns the best matches from all applications that the caller may read. Among equally good matches, the newest comes
 * first.
 */
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

interface Activity {
  readonly data: readonly ActivityItem[];
  readonly unavailable: readonly string[];
}

export async function listActivity(
  everything: Everything,
  { limit }: { readonly limit: number },
  caller: Caller,
): Promise<Activity> {
  const { items, unavailable } = await askAll(everything, caller, (each) => each.activity(limit, caller));
  const newest = items.toSorted((left, right) => Date.parse(right.at) - Date.parse(left.at));
  return { data: newest.slice(0, limit), unavailable };
}

const LINKS_MAX = 50;

interface Links {
  readonly target: FoundItem | null;
  readonly linked_from: readonly FoundItem[];
  readonly unavailable: readonly string[];
}

/** An item links to a page if its text contains the page's path. */
export async function showLinks(
  everything: Everything,
  { path }: { readonly path: string },
  caller: Caller,
): Promise<Links> {
  const described = await askAll(everything, caller, async (each) => {
    const found = await each.describe(path, caller);
    return found === undefined ? [] : [found];
  });
  const [target] = described.items;
  if (target === undefined) return { target: null, linked_from: [], unavailable: described.unavailable };
  const request = { words: [target.path], limit: LINKS_MAX };
  const { items, unavailable } = await askAll(everything, caller, (each) => each.find(request, caller));
  return { target, linked_from: items.filter((item) => item.path !== target.path), unavailable };
}
