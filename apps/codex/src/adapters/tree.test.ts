import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { writeNewFile } from './file-content.ts';
import { makeOwnFolder } from './notebook-folder.ts';
import { Tree } from './tree.ts';

it('recreates folders that another program deleted after they were opened', async () => {
  const root = mkdtempSync(join(tmpdir(), 'holdfast-tree-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  makeOwnFolder(root);
  mkdirSync(join(root, 'a/b'), { recursive: true });
  using tree = new Tree(root);
  expect(tree.state('a/b/note.md')).toBeUndefined();
  rmSync(join(root, 'a'), { recursive: true });
  tree.makeFolders('a/b');
  await writeNewFile(tree, 'a/b/note.md', Buffer.from('text'));
  expect(existsSync(join(root, 'a/b/note.md'))).toBe(true);
});
