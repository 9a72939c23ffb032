import type { audiobooksApi } from './audiobooks-client.ts';

type DataOf<Call extends (...input: never[]) => Promise<{ readonly data: unknown }>> = Awaited<
  ReturnType<Call>
>['data'];

/** What the server gives of audiobooks. Times are UTC text, durations and positions whole milliseconds. */
export type BookPage = DataOf<typeof audiobooksApi.GET<'/books'>>;
export type BookRow = BookPage['data'][number];
export type Book = DataOf<typeof audiobooksApi.GET<'/books/{id}'>>;
export type Rights = DataOf<typeof audiobooksApi.GET<'/me'>>;
export type Library = DataOf<typeof audiobooksApi.GET<'/libraries'>>['data'][number];
export type Shelves = DataOf<typeof audiobooksApi.GET<'/shelves'>>;
export type Group = DataOf<typeof audiobooksApi.GET<'/authors'>>['data'][number];
export type Author = DataOf<typeof audiobooksApi.GET<'/authors/{id}'>>;
export type Series = DataOf<typeof audiobooksApi.GET<'/series/{id}'>>;
export type Change = DataOf<typeof audiobooksApi.GET<'/books/{id}/history'>>['data'][number];
export type Bookmark = DataOf<typeof audiobooksApi.GET<'/books/{id}/bookmarks'>>['data'][number];
export type Jump = DataOf<typeof audiobooksApi.GET<'/progress/{book}/jumps'>>[number];
export type Operation = DataOf<typeof audiobooksApi.GET<'/operations'>>['data'][number];
export type OperationType = 'scan' | 'organize' | 'transcode' | 'merge' | 'tag' | 'import' | 'edit' | 'undo';
export type LogLine = DataOf<typeof audiobooksApi.GET<'/operations/{id}/log'>>['data'][number];
export type Duplicates = DataOf<typeof audiobooksApi.GET<'/duplicates'>>['data'][number];
export type UserRights = DataOf<typeof audiobooksApi.GET<'/rights'>>['data'][number];
export type OrganisePlan = DataOf<typeof audiobooksApi.POST<'/organise/preview'>>;
export type Move = OrganisePlan['moves'][number];
export type Refusal = OrganisePlan['refusals'][number];
export type MergePlan = DataOf<typeof audiobooksApi.POST<'/merge/preview'>>;

export interface Page<Item> {
  readonly data: readonly Item[];
  readonly next_cursor: string | null;
}
export interface Feed {
  readonly id: string;
  readonly kind: 'book' | 'opds';
  readonly book_id: string | null;
  readonly created_at: string;
}

export interface MadeFeed {
  readonly id: string;
  readonly url: string;
}
