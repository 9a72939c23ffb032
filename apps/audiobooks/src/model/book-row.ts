import type { Book } from './book.ts';

export interface BookRow {
  readonly id: string;
  readonly title: string;
  readonly author: string | null;
  readonly narrator: string | null;
  readonly series: string | null;
  readonly sequence: string | null;
  readonly duration_ms: number;
  readonly segments: number;
}

export function rowOf(book: Book): BookRow {
  const [membership] = book.series;
  return {
    id: book.id,
    title: book.title,
    author: book.authors.length === 0 ? null : book.authors.map(({ name }) => name).join(', '),
    narrator: book.narrator,
    series: membership?.name ?? null,
    sequence: membership?.sequence ?? null,
    duration_ms: book.duration_ms,
    segments: book.segment_count,
  };
}
