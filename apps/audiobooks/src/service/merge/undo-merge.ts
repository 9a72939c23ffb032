import { failpoint } from '@holdfast/base';
import type { Operation } from '../../model/operation.ts';
import { activeSegments } from '../../store/segments.ts';
import type { Audiobooks } from '../audiobooks.ts';
import { libraryById } from '../libraries.ts';
import type { OperationOutcome } from '../operations/run-operation.ts';
import type { OperationContext } from '../../model/engines.ts';
import { switchBack } from './switch-back.ts';
import type { Switched } from './switch-segments.ts';

/** Restores the originals and all positions. */
export async function undoMerge(
  audiobooks: Audiobooks,
  done: Operation,
  context: OperationContext,
): Promise<OperationOutcome> {
  const switched = done.result as unknown as Switched;
  const library = await libraryById(audiobooks, String(done.params['library']));
  await audiobooks.engines.merge.undo({
    root: library.root,
    context,
    restore: switched.old_segments.map(({ id, path, kept_at: from }) => ({ segmentId: id, from, to: path })),
    remove: switched.new_segments.map(({ path }) => path),
    committed: async (restored) => {
      failpoint('audiobooks.merge.switching-back');
      await switchBack(audiobooks, { switched, restored, operationId: context.operationId });
      failpoint('audiobooks.merge.switched-back');
    },
  });
  return { result: { book: switched.book_id } };
}

/** Returns whether the book already plays its originals again. */
export async function isSwitchedBack({ store }: Audiobooks, done: Operation): Promise<boolean> {
  const switched = done.result as unknown as Switched;
  const active = await activeSegments(store, switched.book_id);
  return active.some(({ id }) => switched.old_segments.some((old) => old.id === id));
}
