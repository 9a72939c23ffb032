import { normalizeName, normalizeText } from '../../model/normalize.ts';
import { authors, narrators, series } from '../../store/definitions.ts';
import type { Catalogue } from '../catalogue.ts';
import { countOf, type Viewer } from './book-filter.ts';
import type { Group } from './list-groups.ts';

/** How many names are looked at; a few begin like this and belong to libraries that the viewer does not see. */
const EXAMINED = 50;

type Named = 'author' | 'series' | 'narrator';

/** Names, or last names, that begin with what was typed. */
export async function searchGroups(
  catalogue: Catalogue,
  viewer: Viewer,
  kind: Named,
  typed: string,
  limit: number,
): Promise<readonly Group[]> {
  const begun = kind === 'series' ? normalizeText(typed) : normalizeName(typed);
  if (begun === '') return [];
  const found = new Map<string, Group>();
  for (const { id, name } of await named(catalogue, kind, begun)) {
    if (found.size === limit) break;
    if (found.has(id)) continue;
    const books = (await countOf(catalogue.store, viewer.libraries, { kind, value: id })) ?? 0;
    if (books > 0) found.set(id, { id, name, books });
  }
  return [...found.values()];
}

interface Entry {
  readonly id: string;
  readonly name: string;
}

async function named({ store }: Catalogue, kind: Named, begun: string): Promise<readonly Entry[]> {
  const range = { start: begun, end: `${begun}\u{10ffff}`, limit: EXAMINED };
  if (kind === 'series')
    return [...(await store.list(series.by.name, {}, range)), ...(await store.list(series.by.sort, {}, range))];
  if (kind === 'author')
    return [...(await store.list(authors.by.name, {}, range)), ...(await store.list(authors.by.sort, {}, range))];
  const found = [...(await store.list(narrators, {}, range)), ...(await store.list(narrators.by.sort, {}, range))];
  return found.map(({ normalized_name: id, name }) => ({ id, name }));
}
