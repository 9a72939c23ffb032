import { setImmediate as nextTurn } from 'node:timers/promises';

import { MEBIBYTE } from '@holdfast/base';
import { expect, it } from 'vitest';

import { openHarness } from '../../test/harness.ts';
import { readStaged, stageContent } from './blobs.ts';
import { Tree } from './tree.ts';

it('reads staged content while another writer stages the same content', async () => {
  const { notebook } = await openHarness();
  const root = notebook.path;
  const bytes = Buffer.alloc(32 * MEBIBYTE, 'z');
  const staged = await stageContent(root, bytes);
  using tree = new Tree(root);
  const reading = readStaged(tree, staged, null);
  await nextTurn();
  // Marks the file as used, which changes its times.
  await stageContent(root, bytes);
  expect((await reading).length).toBe(bytes.length);
});
