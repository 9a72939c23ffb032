import type { NpEvent } from '@holdfast/hub';

import type {
  accountApi,
  booksApi,
  codexApi,
  npApi,
  overviewApi,
  ringmasterApi,
  systemApi,
  usersApi,
  utaskApi,
} from './clients.ts';

type DataOf<Call extends (...input: never[]) => Promise<{ readonly data: unknown }>> = Awaited<
  ReturnType<Call>
>['data'];
type InputOf<Call extends (path: never, input: never) => unknown> = NonNullable<Parameters<Call>[1]>;

export type ActivityItem = DataOf<typeof overviewApi.GET<'/activity'>>['data'][number];
export type FoundItem = DataOf<typeof overviewApi.GET<'/search'>>['data'][number];
export type InboxItem = DataOf<typeof overviewApi.GET<'/inbox'>>['data'][number];
export type DatabaseState = DataOf<typeof systemApi.GET<'/databases'>>['data'][number];
export type DatabaseName = DatabaseState['name'];
export type Commit = DataOf<typeof systemApi.GET<'/databases/{database}/commits'>>['data'][number];
export type Change = Commit['changes'][number];
export type StoredKey = DataOf<typeof systemApi.GET<'/databases/{database}/keys'>>['data'][number];
export type SystemInfo = DataOf<typeof systemApi.GET<'/info'>>;
export type Session = DataOf<typeof accountApi.GET<'/sessions'>>['data'][number];
export type Token = DataOf<typeof accountApi.GET<'/tokens'>>['data'][number];
export type Me = DataOf<typeof accountApi.GET<'/me'>>;
export type AuditEntry = DataOf<typeof usersApi.GET<'/audit'>>['data'][number];
export type AuditType = AuditEntry['type'];
export type User = DataOf<typeof usersApi.GET<'/'>>['data'][number];

export type PlanSummary = DataOf<typeof npApi.GET<'/sessions'>>['data'][number];
export type SessionState = PlanSummary['session']['state'] | 'all';
export type Plan = DataOf<typeof npApi.GET<'/sessions/{sid}'>>;
export type PlanTask = Plan['tasks'][number];
export type PlanCounts = Plan['counts'];
export type PlanEvent = NpEvent;
export type PlanEventPage = DataOf<typeof npApi.GET<'/sessions/{sid}/events'>>;

export type TaskPage = DataOf<typeof utaskApi.GET<'/tasks'>>;
export type Task = TaskPage['data'][number];
export type TaskCounts = DataOf<typeof utaskApi.GET<'/tags'>>;
export type TaskStorage = DataOf<typeof utaskApi.GET<'/status'>>;

export type Notebook = DataOf<typeof codexApi.GET<'/notebooks'>>['data'][number];
export type NotebookStatus = DataOf<typeof codexApi.GET<'/notebooks/{notebook}/status'>>;
export type NoteFile = DataOf<typeof codexApi.GET<'/notebooks/{notebook}/files'>>['data'][number];
export type CodexEvent = DataOf<typeof codexApi.GET<'/events'>>['data'][number];
export type Version = DataOf<typeof codexApi.GET<'/notebooks/{notebook}/history'>>['data'][number];
export type TrashEntry = DataOf<typeof codexApi.GET<'/notebooks/{notebook}/trash'>>['data'][number];
export type SearchHit = DataOf<typeof codexApi.GET<'/notebooks/{notebook}/search'>>['data'][number];
export type NoteLinks = DataOf<typeof codexApi.GET<'/notebooks/{notebook}/files/{file}/links'>>;

export type Workspace = DataOf<typeof ringmasterApi.GET<'/workspaces'>>['data'][number];
export type BoardTask = DataOf<typeof ringmasterApi.GET<'/workspaces/{workspace}/tasks'>>['data'][number];
export type TaskStatus = BoardTask['status'];
export type ShownTask = DataOf<typeof ringmasterApi.GET<'/workspaces/{workspace}/tasks/{task}'>>;
export type Attempt = ShownTask['attempts'][number];
export type Iteration = ShownTask['iterations'][number];
export type Explanation = DataOf<typeof ringmasterApi.GET<'/workspaces/{workspace}/tasks/{task}/why'>>;
export type RecordedPrompt = DataOf<typeof ringmasterApi.GET<'/workspaces/{workspace}/tasks/{task}/prompt'>>;
export type Inquiry = DataOf<typeof ringmasterApi.GET<'/workspaces/{workspace}/inquiries'>>['data'][number];
export type QueueEntry = DataOf<typeof ringmasterApi.GET<'/workspaces/{workspace}/queue'>>['data'][number];
export type RingWorker = DataOf<typeof ringmasterApi.GET<'/workspaces/{workspace}/workers'>>['data'][number];
export type RingEvent = DataOf<typeof ringmasterApi.GET<'/workspaces/{workspace}/events'>>['data'][number];
export type ShownSettings = DataOf<typeof ringmasterApi.GET<'/workspaces/{workspace}/projects/{project}'>>;
export type ProjectSettings = ShownSettings['settings'];
export type SettingChanges = { [Name in keyof ProjectSettings]?: ProjectSettings[Name] | null };
export type DayMetrics = DataOf<typeof ringmasterApi.GET<'/workspaces/{workspace}/metrics'>>['data'][number];
export type LogPiece = DataOf<typeof ringmasterApi.GET<'/workspaces/{workspace}/tasks/{task}/log'>>['data'][number];

/** Types of audiobooks. Times are UTC text; durations and positions are whole milliseconds. */
export type BookPage = DataOf<typeof booksApi.GET<'/books'>>;
export type BookRow = BookPage['data'][number];
export type BookFilter = Readonly<
  Omit<NonNullable<InputOf<typeof booksApi.GET<'/books'>>['query']>, 'limit' | 'cursor'>
>;
export type Book = DataOf<typeof booksApi.GET<'/books/{book}'>>;
export type BookChange = DataOf<typeof booksApi.GET<'/books/{book}/history'>>['data'][number];
export type Bookmark = DataOf<typeof booksApi.GET<'/books/{book}/bookmarks'>>['data'][number];
export type Rights = DataOf<typeof booksApi.GET<'/me'>>;
export type UserRights = DataOf<typeof booksApi.GET<'/rights'>>['data'][number];
export type Library = DataOf<typeof booksApi.GET<'/libraries'>>['data'][number];
export type Shelves = DataOf<typeof booksApi.GET<'/shelves'>>;
export type Group = DataOf<typeof booksApi.GET<'/authors'>>['data'][number];
export type Author = DataOf<typeof booksApi.GET<'/authors/{author}'>>;
export type Series = DataOf<typeof booksApi.GET<'/series/{series}'>>;
export type Operation = DataOf<typeof booksApi.GET<'/operations'>>['data'][number];
export type OperationType = NonNullable<NonNullable<InputOf<typeof booksApi.GET<'/operations'>>['query']>['type']>;
export type OperationLine = DataOf<typeof booksApi.GET<'/operations/{operation}/log'>>['data'][number];
export type Duplicates = DataOf<typeof booksApi.GET<'/duplicates'>>['data'][number];
export type CreatedFeed = DataOf<typeof booksApi.POST<'/feeds'>>;
export interface CorrectionRequest {
  readonly pattern: string;
  readonly from: 'folder' | 'title';
  readonly under?: string;
}
export type Provider = DataOf<typeof booksApi.GET<'/providers'>>['data'][number];
/** Search terms that replace the book's own values. */
export interface MatchRequest {
  readonly title?: string;
  readonly author?: string;
  readonly asin?: string;
  readonly region: NonNullable<NonNullable<InputOf<typeof booksApi.POST<'/books/{book}/matches'>>['body']>['region']>;
}
export type Match = DataOf<typeof booksApi.POST<'/books/{book}/matches'>>['matches'][number];
export type Corrections = DataOf<typeof booksApi.POST<'/corrections/preview'>>;
export type OrganisePlan = DataOf<typeof booksApi.POST<'/organise/preview'>>;
export type Move = OrganisePlan['moves'][number];
export type Refusal = OrganisePlan['refusals'][number];
export type MergePlan = DataOf<typeof booksApi.POST<'/merge/preview'>>;

export type Progress = NonNullable<DataOf<typeof booksApi.GET<'/progress/{book}'>>>;
type ReportedEvent = InputOf<typeof booksApi.POST<'/playback'>>['body']['events'][number];
/** The player always sets the optional fields. */
export type PlaybackEvent = { readonly [Name in keyof ReportedEvent]-?: NonNullable<ReportedEvent[Name]> };
export type Preferences = DataOf<typeof booksApi.GET<'/preferences'>>;
export type ListeningStats = DataOf<typeof booksApi.GET<'/stats'>>;
export type ListeningDay = ListeningStats['days'][number];
export type ListeningYear = DataOf<typeof booksApi.GET<'/stats/year/{year}'>>;
export type PlaylistItem = DataOf<typeof booksApi.GET<'/playlists/{playlist}'>>['items']['data'][number];
export type ListedPlaylist = DataOf<typeof booksApi.GET<'/playlists'>>['data'][number];
export type Playlist = DataOf<typeof booksApi.POST<'/playlists'>>;
export type SmartQuery = NonNullable<Playlist['query']>;
export type Condition = NonNullable<SmartQuery['all']>[number];
