import type { CommandContext } from '@holdfast/cli';
import { style } from '@holdfast/cli';
import { afterKey, engineOn, type Entry, keyspaceErrors, prefixSuccessor, type RangeRequest } from '@holdfast/keyspace';
import { type Database, openExisting } from '@holdfast/sqlite';

import { databasePlace } from '../databases.ts';
import { shownValue, valueLine } from '../stored-value.ts';

interface Input {
  readonly args: { readonly db: string; readonly prefix: string | undefined };
  readonly options: {
    readonly limit: number | undefined;
    readonly after: string | undefined;
    readonly reverse: boolean;
  };
}

const SHOWN_TO_PEOPLE = 1_000;
const ALL = 2 ** 31 - 2;

export async function run({ args, options, out, env, isJson, note }: CommandContext<Input>): Promise<void> {
  const database = await openExisting(databasePlace(args.db, env).path);
  try {
    if (database.kind !== 'keyspace') throw keyspaceErrors.NOT_A_KEYSPACE(`${database.path} holds tables, not keys`);
    const limit = options.limit ?? (isJson ? 0 : SHOWN_TO_PEOPLE);
    const wanted = limit === 0 ? ALL : limit;
    const entries = await readKeys(database, { ...bounds(args.prefix, options), limit: wanted + 1 });
    const shown = entries.slice(0, wanted);
    const data = (): unknown => shown.map(([key, stored]) => ({ key, ...shownValue(stored) }));
    out.result(isJson ? data() : undefined, (page) =>
      page.lines(shown.map(([key, stored]) => [style.cyan(key), '  ', valueLine(stored)])),
    );
    const last = shown.at(-1);
    if (entries.length > shown.length && last !== undefined) note(`There is more: --after '${last[0]}'`);
  } finally {
    await database.close({ processIsEnding: true });
  }
}

async function readKeys(database: Database, range: RangeRequest): Promise<readonly Entry[]> {
  return engineOn(database).range(range);
}

function bounds(prefix = '', { after, reverse }: Input['options']): Omit<RangeRequest, 'limit'> {
  const whole = prefix === '' ? { gte: '', lt: '\u{10ffff}' } : { gte: prefix, lt: prefixSuccessor(prefix) };
  if (after === undefined) return { ...whole, reverse };
  return reverse ? { ...whole, lt: after, reverse } : { ...whole, gte: afterKey(after), reverse };
}
