import type { Caller, ObjectValue } from '@holdfast/operation';
import type { correctionInput } from '../../operations/corrections.ts';
import type { Audiobooks } from '../audiobooks.ts';
import { correctBooks, planCorrections } from '../changes/correct-books.ts';
import { listenerOf, requireEdit } from '../listener.ts';

type Input = ObjectValue<typeof correctionInput>;

export async function previewCorrections(audiobooks: Audiobooks, input: Input, caller: Caller) {
  const listener = await listenerOf(audiobooks, caller);
  requireEdit(listener);
  const { corrections, unchanged, unmatched } = await planCorrections(audiobooks, listener, input);
  const books = corrections.map(({ book, changes }) => ({
    id: book.id,
    title: book.title,
    name: input.from === 'title' ? book.title : (book.folder ?? ''),
    changes: [...changes],
  }));
  return { books, unchanged, unmatched };
}

export async function runCorrections(audiobooks: Audiobooks, input: Input, caller: Caller) {
  const listener = await listenerOf(audiobooks, caller);
  requireEdit(listener);
  const { value, operation } = await correctBooks(audiobooks, listener, input);
  return { books: value, operation_id: operation.id };
}
