/** Values that fields accept. This file does not import the schema library, because every command loads this file. */

/** Book fields that users can edit and lock. Their changes are recorded in the history. */
export const BOOK_FIELDS = [
  'title',
  'subtitle',
  'authors',
  'narrators',
  'series',
  'year',
  'publisher',
  'language',
  'isbn',
  'asin',
  'description',
  'genres',
  'tags',
  'edition',
  'cover',
  'chapters',
] as const;
export type BookField = (typeof BOOK_FIELDS)[number];

export const BOOK_ORDERS = ['title', 'author', 'added', 'duration', 'recent'] as const;
export type BookOrder = (typeof BOOK_ORDERS)[number];

export const LISTENING_STATES = ['unstarted', 'started', 'finished'] as const;
export type ListeningState = (typeof LISTENING_STATES)[number];
export const BOOK_STATES = [...LISTENING_STATES, 'missing', 'deleted'] as const;

export const GROUP_KINDS = ['author', 'series', 'narrator', 'genre', 'tag'] as const;
export type GroupKind = (typeof GROUP_KINDS)[number];

export const OPERATION_TYPES = ['scan', 'organize', 'transcode', 'merge', 'tag', 'import', 'edit', 'undo'] as const;
export type OperationType = (typeof OPERATION_TYPES)[number];

/** Services that supply book metadata. `command` is a program that the server's administrator chose. */
export const PROVIDERS = ['open-library', 'audnexus', 'command'] as const;
export type ProviderName = (typeof PROVIDERS)[number];

/** Audible's national shops. Audnexus describes the books of these shops. */
export const REGIONS = ['us', 'uk', 'au', 'ca', 'de', 'es', 'fr', 'in', 'it', 'jp'] as const;
export type Region = (typeof REGIONS)[number];

export const LOG_LEVELS = ['info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export const EVENT_TYPES = ['progress', 'start', 'pause', 'complete', 'seek'] as const;
export const JUMP_REASONS = ['seek', 'device', 'set', 'reset', 'merge'] as const;
export const REPORT_REFUSALS = [
  'BOOK_NOT_FOUND',
  'BOOK_WITHOUT_FILES',
  'SEGMENT_NOT_FOUND',
  'POSITION_MISSING',
  'TIME_INVALID',
] as const;
export type ReportRefusal = (typeof REPORT_REFUSALS)[number];

export const CONDITION_FIELDS = [
  'title',
  'author',
  'series',
  'narrator',
  'genre',
  'tag',
  'language',
  'year',
  'duration',
  'added',
  'state',
] as const;
export const CONDITION_OPERATORS = [
  'is',
  'is_not',
  'contains',
  'starts',
  'less',
  'more',
  'before',
  'after',
  'in_last_days',
] as const;
export const SMART_SORTS = ['title', 'author', 'added', 'recent'] as const;

/** Template that gives each book its own folder; files keep their names. */
export const DEFAULT_TEMPLATE = '{author}/[{series}/][{sequence:2} - ]{title}[ ({year})][ {{{narrators}}}]';

/**
 * Limits for pruning events: keeps the events of the last `keepDays` days, and the latest `keepEvents` of each user and
 * book.
 */
export const RETENTION = { keepDays: 365, keepEvents: 100 } as const;
