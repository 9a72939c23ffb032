import {
  choice,
  boolean,
  integer,
  list,
  nullable,
  number,
  object,
  operationErrors,
  operationsOf,
  optional,
  optionalList,
  pageFields,
  pageOf,
  text,
  withDefault,
  type ObjectValue,
  type ValueOf,
} from '@holdfast/operation';

import { codexErrors } from '../model/errors.ts';
import type { Codex } from '../service/codex.ts';
import {
  afterEventErrors,
  afterEventField,
  fileObject,
  linkedFile,
  newPathField,
  notebookField,
  READ,
  WRITE,
  inNotebook,
  oneFile,
} from './fields.ts';

const defineOperation = operationsOf<Codex>();
const WRITTEN_DIRECTLY = 'Agents write whole files with the tool `write`';
const creationErrors = [
  codexErrors.NOTEBOOK_NOT_FOUND,
  codexErrors.PATH_INVALID,
  codexErrors.NOTEBOOK_AWAY,
  codexErrors.QUEUE_FULL,
  codexErrors.FILE_EXISTS,
  codexErrors.FILE_NOT_FOUND,
  codexErrors.WAIT_TIMEOUT,
] as const;

const noteFields = { ...fileObject.fields, absolute_path: text('Path of the file on disk') } as const;

export const listTemplates = defineOperation({
  name: 'note.templates',
  summary: 'Show the templates in a notebook, sorted by path',
  permission: READ,
  input: inNotebook,
  output: pageOf(object({ path: text(), name: text() })),
  errors: [codexErrors.NOTEBOOK_NOT_FOUND],
  absent: { mcp: WRITTEN_DIRECTLY },
  run: async () => (await import('../service/notes.ts')).listTemplates,
});

const createNoteInput = {
  notebook: notebookField,
  title: optional(text('Title of the note', { min: 1, max: 1_000 })),
  template: optional(text('Name or path of a template', { min: 1, max: 4_000, label: 'template' })),
  path: optional(newPathField),
} as const;
export type CreateNoteInput = ObjectValue<typeof createNoteInput>;

export const createNote = defineOperation({
  name: 'note.create',
  summary: 'Create a note from its title, a path or a template',
  description: 'Without a path, the title becomes the file name; a number is added if the name is taken.',
  permission: WRITE,
  input: createNoteInput,
  output: object(noteFields),
  errors: creationErrors,
  absent: { mcp: WRITTEN_DIRECTLY },
  run: async () => (await import('../service/notes.ts')).createNote,
});

const dailyNoteInput = {
  notebook: notebookField,
  date: optional(
    text("Day, for example 2026-01-31; defaults to today in the server's time zone", { max: 10, label: 'date' }),
  ),
} as const;
export type DailyNoteInput = ObjectValue<typeof dailyNoteInput>;

export const dailyNote = defineOperation({
  name: 'note.daily',
  summary: 'Show the note for a day; create it if it does not exist',
  permission: WRITE,
  input: dailyNoteInput,
  output: object({ ...noteFields, is_new: boolean() }),
  errors: creationErrors,
  absent: { mcp: WRITTEN_DIRECTLY },
  run: async () => (await import('../service/notes.ts')).dailyNote,
});

const links = object({
  outgoing: list(
    object({
      target: text('Target of the link as written in the note, without `#part`'),
      part: nullable(text('Heading that the link leads to, or `^` and the id of a block')),
      text: text(),
      line: integer('Counted from 1'),
      file: nullable(linkedFile),
      is_part_missing: boolean('True if the file has no such heading or block'),
    }),
  ),
  incoming: list(object({ file: linkedFile, line: integer(), context: text('The line with the link') })),
});
export type Links = ValueOf<typeof links>;

export const listLinks = defineOperation({
  name: 'link.list',
  summary: 'Show the links from and to a file',
  permission: READ,
  input: oneFile,
  output: links,
  errors: [codexErrors.NOTEBOOK_NOT_FOUND, codexErrors.FILE_NOT_FOUND, ...afterEventErrors],
  absent: { mcp: 'Agents find related notes with the tool `search`' },
  run: async () => (await import('../service/links.ts')).listLinks,
});

const graph = object({
  files: list(linkedFile, { summary: 'Up to 500 files with links, those with the most links first' }),
  links: list(object({ from: text('Id of the file with the link'), to: text('Id of the target') }), {
    summary: 'Links between these files, each pair once',
  }),
  linked_files: integer('Number of files in the notebook that have a link or are the target of one'),
});
export type LinkGraph = ValueOf<typeof graph>;

export const linkGraph = defineOperation({
  name: 'link.graph',
  summary: 'Show which files in a notebook link to each other',
  permission: READ,
  input: inNotebook,
  output: graph,
  errors: [codexErrors.NOTEBOOK_NOT_FOUND],
  absent: {
    cli: 'The command `links` shows the links of one file',
    mcp: 'Agents find related notes with the tool `search`',
  },
  run: async () => (await import('../service/links.ts')).linkGraph,
});

const listUnresolvedInput = { notebook: notebookField, ...pageFields } as const;
export type ListUnresolvedInput = ObjectValue<typeof listUnresolvedInput>;

export const listUnresolved = defineOperation({
  name: 'link.unresolved',
  summary: 'Show links whose target, heading or block does not exist',
  description: 'A page can have fewer results than requested even if more pages follow.',
  permission: READ,
  input: listUnresolvedInput,
  output: pageOf(
    object({
      target: text(),
      from: list(object({ id: text(), path: text(), line: integer() }), { summary: 'The first 20 links' }),
    }),
  ),
  errors: [codexErrors.NOTEBOOK_NOT_FOUND],
  absent: { mcp: 'Agents find related notes with the tool `search`' },
  run: async () => (await import('../service/links.ts')).listUnresolved,
});

const resolveLinkInput = {
  notebook: notebookField,
  from: text('Path of the note with the link', { min: 1, max: 4_096 }),
  target: text('Target of the link as written, without `#part`', { min: 1, max: 1_000 }),
  kind: withDefault(choice(['wiki', 'markdown'], '`[[target]]` or `[text](target)`'), 'wiki'),
} as const;
export type ResolveLinkInput = ObjectValue<typeof resolveLinkInput>;

export const resolveLink = defineOperation({
  name: 'link.resolve',
  summary: 'Find the file that a link in a note leads to',
  permission: READ,
  input: resolveLinkInput,
  output: object({ file: nullable(fileObject) }),
  errors: [codexErrors.NOTEBOOK_NOT_FOUND],
  absent: {
    cli: 'The command `links` shows where links lead',
    mcp: 'Agents find related notes with the tool `search`',
  },
  run: async () => (await import('../service/links.ts')).resolveLink,
});

const linkSuggestion = object({ ...linkedFile.fields, link: text('Text to write between the brackets of the link') });
export type LinkSuggestion = ValueOf<typeof linkSuggestion>;

const suggestLinksInput = {
  notebook: notebookField,
  query: withDefault(text('Text typed so far', { max: 200, allowsNul: true }), ''),
} as const;
export type SuggestLinksInput = ObjectValue<typeof suggestLinksInput>;

export const suggestLinks = defineOperation({
  name: 'link.suggest',
  summary: 'Suggest up to 20 files for a link that is being typed',
  permission: READ,
  input: suggestLinksInput,
  output: pageOf(linkSuggestion),
  errors: [codexErrors.NOTEBOOK_NOT_FOUND],
  absent: { cli: 'Only an editor completes links', mcp: 'Only an editor completes links' },
  run: async () => (await import('../service/links.ts')).suggestLinks,
});

const searchHit = object({
  file: fileObject,
  notebook: text('Name of the notebook that contains the note'),
  snippet: list(object({ text: text(), hit: boolean() }), { summary: 'Plain text, split at the matches' }),
  score: number(),
});
export type SearchHit = ValueOf<typeof searchHit>;

const searchInput = {
  query: withDefault(text('Words to find', { max: 1_000, allowsNul: true }), ''),
  notebook: optional(text('Only in this notebook', { min: 1, label: 'notebook' })),
  tags: optionalList(text('Only notes with this tag', { min: 1, max: 500, label: 'tag' }), { max: 20 }),
  properties: optionalList(text('Only notes with this property', { min: 1, max: 500, label: 'name:value' }), {
    max: 20,
  }),
  path: optional(text('Only paths that start with this text', { max: 1_000, label: 'path' })),
  after: optional(text('Only notes changed at or after this time', { max: 40, label: 'time' })),
  before: optional(text('Only notes changed before this time', { max: 40, label: 'time' })),
  ...pageFields,
  after_event: afterEventField,
} as const;
export type SearchInput = ObjectValue<typeof searchInput>;

export const search = defineOperation({
  name: 'note.search',
  summary: 'Find notes by words, tags, properties, path and time, best matches first',
  description:
    'A word also finds longer words that start with it. Narrow the search with "a phrase", -word, tag:x, path:x, title:x, ' +
    'after:2026-01-01, before:2026-01-01, or name:value for any property. Without a notebook, searches all notebooks.',
  permission: READ,
  input: searchInput,
  output: pageOf(searchHit),
  errors: [operationErrors.INPUT_INVALID, codexErrors.NOTEBOOK_NOT_FOUND, ...afterEventErrors],
  run: async () => (await import('../service/search.ts')).searchNotebooks,
});

export const listTags = defineOperation({
  name: 'note.tags',
  summary: 'Show the tags in a notebook, most used first',
  permission: READ,
  input: inNotebook,
  output: pageOf(object({ tag: text(), count: integer() })),
  errors: [codexErrors.NOTEBOOK_NOT_FOUND],
  absent: { mcp: 'Agents filter by tags with the tool `search`' },
  run: async () => (await import('../service/search.ts')).listTags,
});

export const listProperties = defineOperation({
  name: 'note.properties',
  summary: 'Show the property names in a notebook, most used first',
  permission: READ,
  input: inNotebook,
  output: pageOf(object({ key: text(), count: integer() })),
  errors: [codexErrors.NOTEBOOK_NOT_FOUND],
  absent: { mcp: 'Agents filter by properties with the tool `search`' },
  run: async () => (await import('../service/search.ts')).listProperties,
});
