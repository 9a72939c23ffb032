import { readPage, shownValue } from '@holdfast/base';
import type { CommandContext } from '@holdfast/cli';
import { style } from '@holdfast/cli';
import { openStoreAt } from '@holdfast/hub/databases';
import { afterKey, keyspaceErrors, prefixSuccessor, type RangeRequest } from '@holdfast/keyspace';

import { databaseAt } from '../databases.ts';
import { valueLine } from '../stored-value.ts';

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
  const database = await openStoreAt(databaseAt(args.db, env));
  try {
    const { engine } = database;
    if (engine === undefined) throw keyspaceErrors.NOT_A_KEYSPACE(`${database.place} holds tables, not keys`);
    const limit = options.limit ?? (isJson ? 0 : SHOWN_TO_PEOPLE);
    const { data: shown, next_cursor } = await readPage(
      limit === 0 ? ALL : limit,
      async (count) => engine.range({ ...bounds(args.prefix, options), limit: count }),
      ([key]) => key,
    );
    const data = (): unknown => shown.map(([key, stored]) => ({ key, ...shownValue(stored) }));
    out.result(isJson ? data() : undefined, (page) =>
      page.lines(shown.map(([key, stored]) => [style.cyan(key), '  ', valueLine(stored)])),
    );
    if (next_cursor !== null) note(`More keys follow; add --after '${next_cursor}'`);
  } finally {
    await database.close({ processIsEnding: true });
  }
}

function bounds(prefix = '', { after, reverse }: Input['options']): Omit<RangeRequest, 'limit'> {
  const whole = prefix === '' ? { gte: '', lt: '\u{10ffff}' } : { gte: prefix, lt: prefixSuccessor(prefix) };
  if (after === undefined) return { ...whole, reverse };
  return reverse ? { ...whole, lt: after, reverse } : { ...whole, gte: afterKey(after), reverse };
}
