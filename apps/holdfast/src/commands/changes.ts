import { follow } from '@holdfast/base';
import type { CommandContext } from '@holdfast/cli';
import { columnNames, type Database, type JournalEntry, openExisting } from '@holdfast/sqlite';

import { databaseAt } from '../databases.ts';
import { type Columns, entryData, showEntry } from '../journal-entry.ts';

interface Input {
  readonly args: { readonly db: string };
  readonly options: {
    readonly since: number | undefined;
    readonly limit: number | undefined;
    readonly follow: boolean;
  };
}

const LAST_COMMITS = 20;
const PAGE = 500;

export async function run(context: CommandContext<Input>): Promise<void> {
  const { args, options, env, out } = context;
  const database = await openExisting(databaseAt(args.db, env).path);
  try {
    if (options.follow) return await followChanges(context, database);
    const entries = readChanges(database, options);
    const columns = columnsOf(database);
    out.result(
      entries.map((entry) => entryData(entry, columns)),
      (page) => {
        if (entries.length === 0) page.line('No commits.');
        for (const entry of entries) showEntry(page, entry, columns);
      },
    );
  } finally {
    await database.close({ processIsEnding: true });
  }
}

async function followChanges({ options, out, signal }: CommandContext<Input>, database: Database): Promise<void> {
  const source = {
    read: (since: number) => database.changes(since, PAGE),
    subscribe: (wake: () => void) => database.onChange(wake),
  };
  const columns = columnsOf(database);
  let remaining = options.limit ?? Number.POSITIVE_INFINITY;
  for await (const entry of follow(source, options.since ?? database.revision(), signal)) {
    out.item(entryData(entry, columns), (page) => showEntry(page, entry, columns));
    remaining -= 1;
    if (remaining === 0) return;
  }
}

function readChanges(database: Database, { since, limit }: Input['options']): JournalEntry[] {
  const newest = database.revision();
  const oldest = Math.max(0, database.oldestRevision() - 1);
  const start = since ?? Math.max(oldest, newest - (limit ?? LAST_COMMITS));
  const entries: JournalEntry[] = [];
  const wanted = limit ?? (since === undefined ? LAST_COMMITS : Number.POSITIVE_INFINITY);
  for (let last = start; entries.length < wanted;) {
    const page = database.changes(last, Math.min(PAGE, wanted - entries.length));
    if (page.length === 0) break;
    entries.push(...page);
    last = page.at(-1)?.revision ?? last;
  }
  return entries;
}

/** Read once per table: a migration in between only appends columns. */
function columnsOf(database: Database): Columns {
  const known = new Map<string, readonly string[]>();
  return (table) => {
    const names = known.get(table) ?? columnNames(database, table);
    known.set(table, names);
    return names;
  };
}
