import type { Connection, Database, MigrationPlan } from '@holdfast/sqlite';

/** A table with the numbers 1, 2, 3, … in commit order: its size identifies every state. */
export const numbersPlan: MigrationPlan = {
  scope: 'numbers',
  steps: [
    {
      version: 1,
      description: 'create',
      up: (connection) => connection.exec('CREATE TABLE numbers (n INTEGER PRIMARY KEY, padding BLOB NOT NULL)'),
    },
  ],
};

const PADDING = 2_000;

/** Adds the next number in its own commit and returns it. */
export async function addNumber(database: Database): Promise<number> {
  const { value } = await database.write(({ connection }) => {
    const n = sizeOf(connection) + 1;
    connection.run('INSERT INTO numbers VALUES (?, randomblob(?))', n, PADDING);
    return n;
  });
  return value;
}

function sizeOf(connection: Connection): number {
  return connection.get<{ n: number }>('SELECT count(*) AS n FROM numbers')?.n ?? 0;
}

/** Returns the count of numbers, or a description of what is wrong. */
export function readNumbers(database: Database): number | string {
  const problems = database.integrityProblems();
  if (problems.length > 0) return problems.join('; ');
  const row = database.get<{ count: number; last: number | null }>(
    'SELECT count(*) AS count, max(n) AS last FROM numbers',
  );
  const { count = 0, last = null } = row ?? {};
  if ((last ?? 0) !== count) return `${count} numbers, and the last is ${last}`;
  const newest = database.changes(Math.max(0, database.revision() - 1)).at(-1);
  const added = newest?.rows.find(({ table }) => table === 'numbers')?.after[0];
  return added === undefined || added === count
    ? count
    : `${count} numbers, but the journal ends with ${String(added)}`;
}
