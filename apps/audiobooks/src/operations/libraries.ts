import { integer, nullable, object, optional, pageOf, text, time, type ValueOf } from '@holdfast/operation';
import { audiobookErrors } from '../model/errors.ts';
import { defineOperation, libraryField, MANAGE, READ } from './fields.ts';

const { LIBRARY_NOT_FOUND, LIBRARY_OVERLAPS } = audiobookErrors;
const name = text('Name of the library', { min: 1, max: 200, label: 'name' });
const management = { mcp: 'Only people set up libraries' } as const;

const library = object(
  {
    id: text(),
    name: text(),
    root: optional(text('Folder; only administrators see it')),
    books: integer(),
    scanned_at: nullable(time()),
  },
  { id: 'AudiobookLibrary' },
);
export type LibraryView = ValueOf<typeof library>;

export const listLibraries = defineOperation({
  name: 'library.list',
  summary: 'List the libraries that the caller can see',
  permission: READ,
  input: {},
  output: pageOf(library),
  run: async () => (await import('../service/libraries.ts')).listLibraries,
});

export const addLibrary = defineOperation({
  name: 'library.add',
  summary: 'Add a folder as a library; scan it afterwards',
  permission: MANAGE,
  input: { root: text('Absolute path of the folder', { min: 1, max: 4_096, label: 'folder' }), name: optional(name) },
  output: library,
  errors: [LIBRARY_NOT_FOUND, LIBRARY_OVERLAPS],
  absent: management,
  run: async () => (await import('../service/libraries.ts')).addLibrary,
});

export const renameLibrary = defineOperation({
  name: 'library.rename',
  summary: 'Rename a library; its folder stays the same',
  permission: MANAGE,
  input: { library: libraryField, name },
  output: library,
  errors: [LIBRARY_NOT_FOUND],
  absent: management,
  run: async () => (await import('../service/libraries.ts')).renameLibrary,
});

export const removeLibrary = defineOperation({
  name: 'library.remove',
  summary: 'Remove a library and its books from all lists; files stay, and scanning the folder restores everything',
  permission: MANAGE,
  input: { library: libraryField },
  output: library,
  errors: [LIBRARY_NOT_FOUND],
  absent: management,
  run: async () => (await import('../service/libraries.ts')).removeLibrary,
});
