import {
  boolean,
  choice,
  integer,
  list,
  object,
  optional,
  pageFields,
  pageOf,
  text,
  union,
  type ValueOf,
  withDefault,
} from '@holdfast/operation';
import { audiobookErrors } from '../model/errors.ts';
import { defineOperation, ifRevision, MANAGE, READ } from './fields.ts';

const libraries = union(
  [choice(['all']), list(text(), { max: 1_000 })],
  'Ids of the libraries that the user can see, or all',
);
const edit = boolean('May edit book metadata');
const download = boolean('May download files');
const rightsFields = { libraries, edit, download } as const;
const rights = object({ user_id: text(), ...rightsFields, revision: integer() });
const userRights = object({ user_id: text(), username: text(), ...rightsFields });
export type UserRights = ValueOf<typeof userRights>;
const userField = text('User id', { min: 1, max: 64, label: 'user' });
const rightsReason = { mcp: 'Only people manage access' } as const;

export const showAccess = defineOperation({
  name: 'access.show',
  summary: 'Show what the caller may do and which libraries the caller can see',
  permission: READ,
  input: {},
  output: object({
    can: object({ listen: boolean(), edit: boolean(), manage: boolean(), download: boolean() }),
    libraries: list(text()),
  }),
  absent: { cli: 'The command line may do everything', mcp: 'The agent acts as the local user, who may do everything' },
  run: async () => (await import('../service/rights.ts')).showAccess,
});

export const listRights = defineOperation({
  name: 'rights.list',
  summary: 'List the access rights of all users; by default, a user sees every library and may edit and download',
  permission: MANAGE,
  input: { ...pageFields },
  output: pageOf(userRights),
  absent: rightsReason,
  run: async () => (await import('../service/rights.ts')).listRights,
});

export const showRights = defineOperation({
  name: 'rights.show',
  summary: 'Show the access rights of one user',
  permission: MANAGE,
  input: { user_id: userField },
  output: rights,
  absent: rightsReason,
  run: async () => (await import('../service/rights.ts')).showRights,
});

export const rightsGiven = {
  user_id: userField,
  libraries: withDefault(libraries, 'all'),
  edit: withDefault(edit, true),
  download: withDefault(download, true),
  if_revision: optional(ifRevision),
} as const;

export const setRights = defineOperation({
  name: 'rights.set',
  summary: 'Set which libraries a user sees, and whether they may edit and download',
  permission: MANAGE,
  input: rightsGiven,
  output: rights,
  errors: [audiobookErrors.LIBRARY_NOT_FOUND, audiobookErrors.REVISION_STALE],
  absent: rightsReason,
  run: async () => (await import('../service/rights.ts')).setRights,
});
