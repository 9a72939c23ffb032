import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { delay } from '@holdfast/base';
import { expect, it, onTestFinished } from 'vitest';

import { makeOwnFolder } from '../adapters/notebook-folder.ts';
import type { Notebook } from '../model/notebook.ts';
import { readContent } from './files.ts';

it('a file that somebody replaces during the read is read again', async () => {
  const path = mkdtempSync(join(tmpdir(), 'holdfast-files-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  makeOwnFolder(path);
  // Large enough for several reads, between which the file is replaced.
  const content = (letter: string): string => letter.repeat(20_000_000);
  writeFileSync(join(path, 'a.md'), content('a'));
  const replace = async (): Promise<void> => {
    for (let round = 0; round < 5; round++) {
      writeFileSync(join(path, 'b.md'), content('b'));
      await delay(1);
      renameSync(join(path, 'b.md'), join(path, 'a.md'));
    }
  };
  const [bytes] = await Promise.all([readContent({ path } as Notebook, 'a.md'), replace()]);
  const isWhole = ['a', 'b'].some((letter) => Buffer.from(content(letter)).equals(bytes));
  expect(isWhole).toBe(true);
});
