import type { ByLibrary } from '../../operations/fields.ts';
import { isAbsolute } from 'node:path';
import type { Caller } from '@holdfast/operation';
import { audiobookErrors } from '../../model/errors.ts';
import type { Library } from '../../model/records.ts';
import type { Audiobooks } from '../audiobooks.ts';
import * as libraries from '../libraries.ts';
import { type Listener, listenerOf } from '../listener.ts';
import { countOf } from '../queries/browse-books.ts';

export async function listLibraries(audiobooks: Audiobooks, _input: object, caller: Caller) {
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
  input: { readonly root: string; readonly name?: string | undefined },
  caller: Caller,
) {
  const { root, name } = input;
  if (!isAbsolute(root)) throw audiobookErrors.LIBRARY_NOT_FOUND(`${root} is not an absolute path.`);
  const library = await libraries.addLibraryAt(audiobooks, root, name);
  return libraryView(audiobooks, await listenerOf(audiobooks, caller), library);
}

export async function renameLibrary(
  audiobooks: Audiobooks,
  input: ByLibrary & { readonly name: string },
  caller: Caller,
) {
  const { library: given, name } = input;
  const { id } = await libraries.findLibrary(audiobooks, given);
  const library = await libraries.renameLibrary(audiobooks, id, name);
  return libraryView(audiobooks, await listenerOf(audiobooks, caller), library);
}

export async function removeLibrary(audiobooks: Audiobooks, { library: given }: ByLibrary, caller: Caller) {
  const library = await libraries.findLibrary(audiobooks, given);
  const view = await libraryView(audiobooks, await listenerOf(audiobooks, caller), library);
  await libraries.removeLibrary(audiobooks, library.id);
  return view;
}

async function libraryView({ store }: Audiobooks, { can }: Listener, { id, name, root, scanned_at }: Library) {
  const books = (await countOf(store, [id])) ?? 0;
  return { id, name, books, scanned_at, ...(can.manage ? { root } : {}) };
}
