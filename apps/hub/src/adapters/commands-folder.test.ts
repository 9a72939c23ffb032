import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

import { afterAll, expect, it } from 'vitest';

import { commandsFolder } from './commands-folder.ts';

const [built, elsewhere] = [mkdtempSync(join(tmpdir(), 'holdfast-')), mkdtempSync(join(tmpdir(), 'holdfast-'))];
afterAll(() => {
  for (const folder of [built, elsewhere]) rmSync(folder, { recursive: true });
});

it('names the folder of the commands while a shell does not find them', () => {
  const program = join(built, 'holdfast');
  expect(commandsFolder(program, elsewhere)).toBeUndefined();
  writeFileSync(join(built, 'np'), '');
  expect(commandsFolder(program, elsewhere)).toBe(built);
  expect(commandsFolder(program, '')).toBe(built);
  expect(commandsFolder(program, [elsewhere, built].join(delimiter))).toBeUndefined();
});
