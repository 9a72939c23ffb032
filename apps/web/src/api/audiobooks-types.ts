import type { booksApi } from './audiobooks-client.ts';

type DataOf<Call extends (...input: never[]) => Promise<{ readonly data: unknown }>> = Awaited<
  ReturnType<Call>
>['data'];

/** What the server gives of audiobooks. Times are UTC text, durations and positions whole milliseconds. */
export type BookPage = DataOf<typeof booksApi.GET<'/books'>>;
export type BookRow = BookPage['data'][number];
export type Book = DataOf<typeof booksApi.GET<'/books/{id}'>>;
export type Rights = DataOf<typeof booksApi.GET<'/me'>>;
export type Library = DataOf<typeof booksApi.GET<'/libraries'>>['data'][number];
export type Shelves = DataOf<typeof booksApi.GET<'/shelves'>>;
export type Group = DataOf<typeof booksApi.GET<'/authors'>>['data'][number];
export type Author = DataOf<typeof booksApi.GET<'/authors/{id}'>>;
export type Series = DataOf<typeof booksApi.GET<'/series/{id}'>>;
export type Change = DataOf<typeof booksApi.GET<'/books/{id}/history'>>['data'][number];
export type Bookmark = DataOf<typeof booksApi.GET<'/books/{id}/bookmarks'>>['data'][number];
export type Jump = DataOf<typeof booksApi.GET<'/progress/{book}/jumps'>>[number];
export type Operation = DataOf<typeof booksApi.GET<'/operations'>>['data'][number];
export type OperationType = 'scan' | 'organize' | 'transcode' | 'merge' | 'tag' | 'import' | 'edit' | 'undo';
export type LogLine = DataOf<typeof booksApi.GET<'/operations/{id}/log'>>['data'][number];
export type Duplicates = DataOf<typeof booksApi.GET<'/duplicates'>>['data'][number];
export type UserRights = DataOf<typeof booksApi.GET<'/rights'>>['data'][number];
export type Feed = DataOf<typeof booksApi.GET<'/feeds'>>['data'][number];
export type MadeFeed = DataOf<typeof booksApi.POST<'/feeds'>>;
export type OrganisePlan = DataOf<typeof booksApi.POST<'/organise/preview'>>;
export type Move = OrganisePlan['moves'][number];
export type Refusal = OrganisePlan['refusals'][number];
export type MergePlan = DataOf<typeof booksApi.POST<'/merge/preview'>>;

export interface Page<Item> {
  readonly data: readonly Item[];
  readonly next_cursor: string | null;
}
