import { join } from 'node:path';

import { expect, test } from 'vitest';

import { startProgram } from '../test/child.ts';
import { openTemporary, temporaryFolder } from '../test/temporary.ts';

const STATEMENTS = 6;
const PER_STEP = 2;

const allTables = ['1', '2', '3'].flatMap((step) => ['a', 'b'].map((part) => `t${step}${part}`));

async function stateOf(path: string): Promise<{ tables: string[]; versions: number[]; problems: string[] }> {
  const database = await openTemporary({ path });
  const tables = database.all<{ name: string }>(
    `SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 't[0-9]*' ORDER BY name`,
  );
  const versions = database.all<{ version: number }>('SELECT version FROM holdfast_migrations ORDER BY version');
  const problems = database.integrityProblems();
  await database.close();
  return { tables: tables.map(({ name }) => name), versions: versions.map(({ version }) => version), problems };
}

test('a migration that is killed after any of its statements leaves nothing of itself, and is continued', async () => {
  for (let statement = 1; statement <= STATEMENTS; statement++) {
    const path = join(temporaryFolder(), 'test.db');
    const killed = startProgram('migrate', [path], {
      environment: { HOLDFAST_FAILPOINT: `test.statement:${statement}` },
    });
    expect(await killed.ended).toMatchObject({ signal: 'SIGKILL', lines: [] });
    const finished = Math.floor((statement - 1) / PER_STEP);
    expect(await stateOf(path), `killed after statement ${statement}`).toEqual({
      tables: allTables.slice(0, finished * PER_STEP),
      versions: [1, 2, 3].slice(0, finished),
      problems: [],
    });
    expect(await startProgram('migrate', [path]).ended).toMatchObject({ code: 0, lines: ['done'] });
    expect(await stateOf(path)).toEqual({ tables: allTables, versions: [1, 2, 3], problems: [] });
  }
});

test('processes that start at once apply each migration once', async () => {
  const path = join(temporaryFolder(), 'test.db');
  const children = Array.from({ length: 4 }, () => startProgram('migrate', [path]));
  for (const child of children) expect(await child.ended).toMatchObject({ code: 0, lines: ['done'] });
  expect(await stateOf(path)).toEqual({ tables: allTables, versions: [1, 2, 3], problems: [] });
});
