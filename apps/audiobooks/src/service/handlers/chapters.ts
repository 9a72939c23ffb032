import type { Caller, ObjectValue } from '@holdfast/operation';
import type { Book } from '../../model/book.ts';
import type { chaptersGiven, silenceOptions } from '../../operations/chapters.ts';
import type { ByBook } from '../../operations/fields.ts';
import type { Audiobooks } from '../audiobooks.ts';
import { editChapters } from '../changes/edit-chapters.ts';
import { chaptersOfCue, findSilentPlaces } from '../find-chapters.ts';
import { type Listener, listenerOf, requireEdit, visibleBook } from '../listener.ts';
import { showBook } from './books.ts';

export async function setChapters(
  audiobooks: Audiobooks,
  { book: given, chapters, if_revision: ifRevision }: ObjectValue<typeof chaptersGiven>,
  caller: Caller,
) {
  const { book, listener } = await editableBook(audiobooks, given, caller);
  const marks = chapters.map(({ title, start_ms: startMs }) => ({ title, startMs }));
  await editChapters(audiobooks, {
    book: book.id,
    marks: marks.length === 0 ? null : marks,
    ifRevision,
    by: listener.name,
  });
  return showBook(audiobooks, { book: book.id }, caller);
}

export async function listSilences(
  audiobooks: Audiobooks,
  { book: given, seconds, noise_db: noiseDb }: ObjectValue<typeof silenceOptions>,
  caller: Caller,
) {
  const { book } = await editableBook(audiobooks, given, caller);
  return { data: [...(await findSilentPlaces(audiobooks, book, { lengthMs: seconds * 1_000, noiseDb }))] };
}

export async function readCueSheet(
  audiobooks: Audiobooks,
  { book: given, cue }: ByBook & { readonly cue: string },
  caller: Caller,
) {
  const { book } = await editableBook(audiobooks, given, caller);
  const marks = await chaptersOfCue(audiobooks, book, cue);
  return { data: marks.map(({ title, startMs }) => ({ title, start_ms: startMs })) };
}

async function editableBook(
  audiobooks: Audiobooks,
  given: string,
  caller: Caller,
): Promise<{ readonly book: Book; readonly listener: Listener }> {
  const listener = await listenerOf(audiobooks, caller);
  const book = await visibleBook(audiobooks.reader, listener, given);
  requireEdit(listener);
  return { book, listener };
}
