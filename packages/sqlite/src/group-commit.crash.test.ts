import { expect, test } from 'vitest';

import { startProgram } from '../test/child.ts';
import { openTemporary } from '../test/temporary.ts';

const KILLED_AT = 5;

/** Kills a writer at this step of its fifth commit; returns the number of acknowledged and of stored commits. */
async function killedAt(step: string): Promise<{ told: number; stored: number; revision: number }> {
  const database = await openTemporary();
  await database.write(({ connection }) =>
    connection.exec('CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL)'),
  );
  const writer = startProgram('write-forever', [database.path], {
    environment: { HOLDFAST_FAILPOINT: `${step}:${KILLED_AT}` },
  });
  const { signal, lines } = await writer.ended;
  expect(signal).toBe('SIGKILL');
  const stored = database.get<{ n: number }>('SELECT count(*) AS n FROM notes')!.n;
  const revision = database.revision();
  // Leftovers of the killed process do not block the next one.
  await database.write(({ connection }) => connection.exec(`INSERT INTO notes (text) VALUES ('next')`));
  expect(database.integrityProblems()).toEqual([]);
  return { told: lines.length, stored, revision };
}

test('a process that is killed right before a commit leaves nothing of it', async () => {
  expect(await killedAt('sqlite.commit.before')).toEqual({ told: 4, stored: 4, revision: 4 });
});

test('a process that is killed right after a commit leaves all of it, though nobody was told', async () => {
  expect(await killedAt('sqlite.commit.after')).toEqual({ told: 4, stored: 5, revision: 5 });
});
