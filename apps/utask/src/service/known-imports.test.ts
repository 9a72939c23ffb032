import { expect, it, onTestFinished } from 'vitest';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { taskwarriorFormat } from '../model/formats/taskwarrior.ts';
import { withKnownIds } from './known-imports.ts';
import { openUtask } from './open-utask.ts';

it('finds a task of Taskwarrior that was imported when ids still followed from the text', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'utask-known-'));
  const utask = await openUtask({ databasePath: join(folder, 'utask.db'), url: undefined });
  onTestFinished(async () => {
    await utask.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const read = (uuid: string, description: string) => {
    const item = { uuid, description, entry: '20260102T030405Z', status: 'pending' };
    return taskwarriorFormat.read(JSON.stringify([item]), '')[0]!;
  };
  const before = { ...read('u-1', 'Old words'), id: 'ab'.repeat(64) };
  await utask.insert(before);
  const found = await withKnownIds(utask, [read('u-1', 'New words'), read('u-2', 'Another')]);
  expect(found).toMatchObject([
    { id: before.id, text: 'New words' },
    { id: read('u-2', 'Reworded').id, text: 'Another' },
  ]);
});
