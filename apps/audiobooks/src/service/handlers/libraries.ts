import { isAbsolute } from 'node:path';
import type { Caller, InputOf, OutputOf } from '@holdfast/operation';
import { audiobookErrors } from '../../model/errors.ts';
import type { Library } from '../../model/records.ts';
import type * as operations from '../../operations/libraries.ts';
import type { Audiobooks } from '../audiobooks.ts';
import * as libraries from '../libraries.ts';
import { type Listener, listenerOf } from '../listener.ts';
import { countOf } from '../queries/browse-books.ts';

export async function listLibraries(
  audiobooks: Audiobooks,
  _input: object,
  caller: Caller,
): Promise<OutputOf<typeof operations.listLibraries>> {
  const listener = await listenerOf(audiobooks, caller);
  const visible = await visibleLibraries(audiobooks, listener);
  return {
    data: await Promise.all(visible.map((library) => libraryView(audiobooks, listener, library))),
    next_cursor: null,
  };
}

export async function visibleLibraries(audiobooks: Audiobooks, listener: Listener): Promise<readonly Library[]> {
  return (await libraries.listLibraries(audiobooks)).filter(({ id }) => listener.sees({ library_id: id }));
}

export async function addLibrary(
  audiobooks: Audiobooks,
  { root, name }: InputOf<typeof operations.addLibrary>,
  caller: Caller,
): Promise<OutputOf<typeof operations.addLibrary>> {
  if (!isAbsolute(root)) throw audiobookErrors.LIBRARY_NOT_FOUND(`${root} is not an absolute path.`);
  const library = await libraries.addLibraryAt(audiobooks, root, name);
  return libraryView(audiobooks, await listenerOf(audiobooks, caller), library);
}

export async function renameLibrary(
  audiobooks: Audiobooks,
  { library: given, name }: InputOf<typeof operations.renameLibrary>,
  caller: Caller,
): Promise<OutputOf<typeof operations.renameLibrary>> {
  const { id } = await libraries.findLibrary(audiobooks, given);
  const library = await libraries.renameLibrary(audiobooks, id, name);
  return libraryView(audiobooks, await listenerOf(audiobooks, caller), library);
}

export async function removeLibrary(
  audiobooks: Audiobooks,
  { library: given }: InputOf<typeof operations.removeLibrary>,
  caller: Caller,
): Promise<OutputOf<typeof operations.removeLibrary>> {
  const library = await libraries.findLibrary(audiobooks, given);
  const view = await libraryView(audiobooks, await listenerOf(audiobooks, caller), library);
  await libraries.removeLibrary(audiobooks, library.id);
  return view;
}

async function libraryView({ store }: Audiobooks, { can }: Listener, { id, name, root, scanned_at }: Library) {
  const books = (await countOf(store, [id])) ?? 0;
  return { id, name, books, scanned_at, ...(can.manage ? { root } : {}) };
}
