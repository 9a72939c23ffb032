import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryAudiobooks, temporaryFolder } from '../../../test/audiobooks.ts';
import { readOperation } from '../../store/operations.ts';
import { libraryAt } from '../libraries.ts';
import { forgetOriginals, pruneOperations } from './prune-operations.ts';
import { runOperation } from './run-operation.ts';

it('the originals of a merge stay for thirty days; then they go, and after them the operation', async () => {
  const audiobooks = await temporaryAudiobooks();
  const root = temporaryFolder();
  const library = await libraryAt(audiobooks, root);
  const request = { type: 'merge', target: 'book:1', params: { library: library.id }, createdBy: 'test' } as const;
  const { id } = await runOperation(audiobooks, request, () =>
    Promise.resolve({ result: { switched: true }, undoable: true }),
  );
  const kept = join(root, '.holdfast/originals', id, '1.mp3');
  mkdirSync(join(kept, '..'), { recursive: true });
  writeFileSync(kept, 'sound');
  expect(await forgetOriginals(audiobooks)).toBe(0);
  const later = { ...audiobooks, now: () => audiobooks.now() + 31 * 86_400_000 };
  expect(await pruneOperations(later)).toBe(0);
  expect(existsSync(kept)).toBe(true);
  expect(await forgetOriginals(later)).toBe(1);
  expect(existsSync(join(root, '.holdfast'))).toBe(false);
  expect((await readOperation(audiobooks.store, id)).undoable).toBe(false);
  expect(await pruneOperations(later)).toBe(1);
});
