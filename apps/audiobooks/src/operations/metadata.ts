import {
  boolean,
  choice,
  integer,
  json,
  list,
  nullable,
  object,
  optional,
  optionalList,
  text,
  withDefault,
} from '@holdfast/operation';
import { BOOK_FIELDS, PROVIDERS, REGIONS } from '../model/choices.ts';
import { audiobookErrors } from '../model/errors.ts';
import { bookField, defineOperation, ifRevision, MANAGE, WRITE } from './fields.ts';

const { BOOK_NOT_FOUND, NAME_AMBIGUOUS, RIGHTS_MISSING, PROVIDER_DISABLED, PROVIDER_UNAVAILABLE, PROVIDER_INVALID } =
  audiobookErrors;
const absent = { mcp: 'Sends book data to other servers; reserved for people' } as const;
const providerField = choice(PROVIDERS, 'Provider');

const providers = object({
  data: list(
    object({
      name: providerField,
      label: text(),
      hosts: list(text('Host that the server may contact for this provider')),
      receives: text('Data about a book that the provider receives'),
      enabled: boolean(),
    }),
  ),
});

export const listProviders = defineOperation({
  name: 'provider.list',
  summary: 'List metadata providers, with the data that each receives and whether it is enabled',
  permission: WRITE,
  input: {},
  output: providers,
  absent,
  run: async () => (await import('../service/metadata/match.ts')).listProviders,
});

export const enableProvider = defineOperation({
  name: 'provider.enable',
  summary: 'Enable a provider, so that users with edit access can send book data to it',
  permission: MANAGE,
  input: { provider: providerField },
  output: providers,
  errors: [PROVIDER_DISABLED],
  absent,
  run: async () => (await import('../service/metadata/match.ts')).enableProvider,
});

export const disableProvider = defineOperation({
  name: 'provider.disable',
  summary: 'Disable a provider, so that it receives no more book data',
  permission: MANAGE,
  input: { provider: providerField },
  output: providers,
  absent,
  run: async () => (await import('../service/metadata/match.ts')).disableProvider,
});

export const matchQuery = {
  book: bookField,
  title: optional(text('Search for this title instead of the one in the book', { min: 1, max: 500 })),
  author: optional(text('Search for this author instead of the one in the book', { min: 1, max: 500 })),
  asin: optional(text('Search for this ASIN instead of the one in the book', { min: 1, max: 20 })),
  region: withDefault(choice(REGIONS, 'Audible shop in which Audnexus searches'), 'us'),
} as const;

const errors = [BOOK_NOT_FOUND, NAME_AMBIGUOUS, RIGHTS_MISSING, PROVIDER_DISABLED] as const;

export const searchMatches = defineOperation({
  name: 'match.search',
  summary: 'Search the enabled providers for a book, and compare each match with the book',
  permission: WRITE,
  input: matchQuery,
  output: object({
    matches: list(
      object({
        id: text(),
        provider: providerField,
        confidence: integer('Probability that this is the same book, in percent'),
        title: text(),
        authors: list(text()),
        duration_ms: nullable(integer()),
        changes: list(object({ field: choice(BOOK_FIELDS), before: json(), after: json() })),
      }),
    ),
    problems: list(object({ provider: providerField, message: text() })),
  }),
  errors,
  absent,
  run: async () => (await import('../service/metadata/match.ts')).searchMatches,
});

export const matchApplied = {
  ...matchQuery,
  match: text('Id of the match, from the search', { min: 1, max: 300, label: 'match' }),
  fields: optionalList(choice(BOOK_FIELDS, 'Field to copy; default: all fields that differ')),
  if_revision: optional(ifRevision),
} as const;

export const applyMatch = defineOperation({
  name: 'match.apply',
  summary: 'Copy fields from a match to a book, and lock these fields; can be undone',
  permission: WRITE,
  input: matchApplied,
  output: object({
    fields: list(choice(BOOK_FIELDS)),
    revision: integer(),
    operation_id: text('Id of this operation, for undo'),
  }),
  errors: [
    ...errors,
    PROVIDER_UNAVAILABLE,
    PROVIDER_INVALID,
    audiobookErrors.MATCH_NOT_FOUND,
    audiobookErrors.FIELD_INVALID,
    audiobookErrors.COVER_NOT_FOUND,
    audiobookErrors.PICTURE_INVALID,
    audiobookErrors.REVISION_STALE,
  ],
  absent,
  run: async () => (await import('../service/metadata/match.ts')).applyMatch,
});

export const findChapters = defineOperation({
  name: 'chapters.find',
  summary: 'Show the chapters that the enabled providers have for a book, without changing the book',
  permission: WRITE,
  input: matchQuery,
  output: object({
    provider: providerField,
    duration_ms: nullable(integer('Duration of the recording that has these chapters')),
    data: list(object({ title: text(), start_ms: integer() })),
  }),
  errors: [...errors, PROVIDER_UNAVAILABLE, PROVIDER_INVALID, audiobookErrors.MATCH_NOT_FOUND],
  absent,
  run: async () => (await import('../service/metadata/match.ts')).findChapters,
});
