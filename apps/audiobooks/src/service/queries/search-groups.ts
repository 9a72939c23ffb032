import type { GroupKind } from '../../model/choices.ts';
import { normalizeName, normalizeText } from '../../model/normalize.ts';
import { authors, narrators, series } from '../../store/definitions.ts';
import type { Audiobooks } from '../audiobooks.ts';
import { countOf, type Viewer } from './book-filter.ts';
import { type Group, groupsFrom } from './list-groups.ts';

/** Names examined; some may belong to libraries that the viewer cannot see. */
const EXAMINED = 50;

/** Finds names or last names that start with the typed text. */
export async function searchGroups(
  audiobooks: Audiobooks,
  viewer: Viewer,
  kind: GroupKind,
  typed: string,
  limit: number,
): Promise<readonly Group[]> {
  const begun = kind === 'author' || kind === 'narrator' ? normalizeName(typed) : normalizeText(typed);
  if (begun === '') return [];
  const found = new Map<string, Group>();
  for (const { id, name } of await named(audiobooks, kind, begun)) {
    if (found.size === limit) break;
    if (found.has(id)) continue;
    const books = (await countOf(audiobooks.store, viewer.libraries, { kind, value: id })) ?? 0;
    if (books > 0) found.set(id, { id, name, books });
  }
  return [...found.values()];
}

interface Entry {
  readonly id: string;
  readonly name: string;
}

async function named(audiobooks: Audiobooks, kind: GroupKind, begun: string): Promise<readonly Entry[]> {
  const { store } = audiobooks;
  const range = { start: begun, end: `${begun}\u{10ffff}`, limit: EXAMINED };
  if (kind === 'genre' || kind === 'tag') return groupsFrom(audiobooks, kind, begun, EXAMINED);
  if (kind === 'narrator') {
    const found = [...(await store.list(narrators, {}, range)), ...(await store.list(narrators.by.sort, {}, range))];
    return found.map(({ normalized_name: id, name }) => ({ id, name }));
  }
  const { name, sort } = kind === 'author' ? authors.by : series.by;
  return [
    ...(await store.list(name as typeof authors.by.name, {}, range)),
    ...(await store.list(sort as typeof authors.by.sort, {}, range)),
  ];
}
