import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { startProgram } from '../test/child.ts';
import { openTemporary, temporaryFolder } from '../test/temporary.ts';
import { backupDatabase } from './backup.ts';
import { openDatabase } from './database.ts';
import { replaceFromBackup } from './restore-from-backup.ts';

async function sceneWithBackup(): Promise<{ path: string; backup: string }> {
  const folder = temporaryFolder();
  const path = join(folder, 'test.db');
  const backup = join(folder, 'backup.db');
  const database = await openDatabase({ path, kind: 'tables' });
  await database.write(({ connection }) =>
    connection.exec(`CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT); INSERT INTO notes (text) VALUES ('kept')`),
  );
  await backupDatabase(database, backup);
  await database.close();
  return { path, backup };
}

test('the log of a writer that was killed with kill -9 is not replayed into the new file', async () => {
  const { path, backup } = await sceneWithBackup();
  const writer = startProgram('write-forever', [path]);
  await writer.line('committed 20');
  const { lines } = await writer.kill();
  expect(statSync(`${path}-wal`).size).toBeGreaterThan(0);

  const { kept } = await replaceFromBackup(path, backup);
  expect(existsSync(`${path}-wal`)).toBe(false);
  const database = await openTemporary({ path });
  expect(database.integrityProblems()).toEqual([]);
  expect(database.all('SELECT text FROM notes')).toEqual([{ text: 'kept' }]);

  // Commits acknowledged by the killed writer are in the kept file.
  const old = await openTemporary({ path: kept! });
  const { n } = old.get<{ n: number }>(`SELECT count(*) AS n FROM notes WHERE text LIKE 'from the killed writer %'`)!;
  expect(n).toBeGreaterThanOrEqual(lines.length);
});

test('a database that a living process has open is not replaced', async () => {
  const { path, backup } = await sceneWithBackup();
  const writer = startProgram('write-forever', [path]);
  await writer.line('committed 1');
  await expect(replaceFromBackup(path, backup)).rejects.toMatchObject({ code: 'STORE_IN_USE' });
  await writer.line('committed 30');
  await writer.kill();
  const database = await openTemporary({ path });
  expect(database.integrityProblems()).toEqual([]);
});

test('who opens while the file is being replaced waits, and gets the new file', async () => {
  const { path, backup } = await sceneWithBackup();
  const changed = await openDatabase({ path, kind: 'tables' });
  await changed.write(({ connection }) => connection.exec(`INSERT INTO notes (text) VALUES ('after the backup')`));
  await changed.close();

  const openers: ReturnType<typeof startProgram>[] = [];
  await replaceFromBackup(path, backup, async () => {
    openers.push(...[1, 2, 3].map(() => startProgram('open-and-read', [path])));
    await Promise.all(openers.map((opener) => opener.line('opening')));
    // During this pause, the openers open the old file and wait for the lock.
    await new Promise((resolve) => setTimeout(resolve, 500));
  });
  const file = String(statSync(path).ino);
  for (const opener of openers) {
    const found = JSON.parse((await opener.line('opened ')).slice('opened '.length)) as {
      notes: string[];
      file: string;
    };
    expect(found.file).toBe(file);
    expect(found.notes[0]).toBe('kept');
    expect(found.notes).not.toContain('after the backup');
    expect(await opener.ended).toMatchObject({ code: 0 });
  }
  const database = await openTemporary({ path });
  expect(database.integrityProblems()).toEqual([]);
  expect(database.all('SELECT text FROM notes')).toHaveLength(1 + openers.length);
});
