import type { BookFilter } from '../../../api/audiobooks-queries.ts';

/** What was added or heard last comes first, unless somebody wants it otherwise. */
export function isDescending({ sort, desc }: BookFilter): boolean {
  return desc === undefined ? sort === 'added' || sort === 'recent' : desc === 'true';
}
