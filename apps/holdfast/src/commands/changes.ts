import { follow, type StoredValue } from '@holdfast/base';
import type { CommandContext, Page } from '@holdfast/cli';
import { style } from '@holdfast/cli';
import { type Database, type JournalEntry, openExisting, type RowChange } from '@holdfast/sqlite';

import { databasePlace } from '../databases.ts';
import { shownValue, valueLine } from '../stored-value.ts';

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
  const database = await openExisting(databasePlace(args.db, env).path);
  try {
    if (options.follow) return await followChanges(context, database);
    const entries = readChanges(database, options);
    out.result(entries.map(entryData), (page) => {
      for (const entry of entries) showEntry(page, entry);
    });
  } finally {
    await database.close({ processIsEnding: true });
  }
}

async function followChanges({ options, out, signal }: CommandContext<Input>, database: Database): Promise<void> {
  const source = {
    read: (since: number) => database.changes(since, PAGE),
    subscribe: (wake: () => void) => database.onChange(wake),
  };
  let remaining = options.limit ?? Number.POSITIVE_INFINITY;
  for await (const entry of follow(source, options.since ?? database.revision(), signal)) {
    out.item(entryData(entry), (page) => showEntry(page, entry));
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

function entryData({ revision, at, note, keys, rows }: JournalEntry): unknown {
  return {
    revision,
    at: new Date(at).toISOString(),
    note: note ?? null,
    changes:
      rows.length > 0
        ? rows.map(({ table, operation, before, after }) => ({
            table,
            operation,
            before: before.map(jsonSafe),
            after: after.map(jsonSafe),
          }))
        : keys.map(({ key, before, after }) => ({ key, before: sideData(before), after: sideData(after) })),
  };
}

function showEntry(page: Page, { revision, at, note, keys, rows }: JournalEntry): void {
  page.line(
    style.bold(`r${revision}`),
    '  ',
    style.dim(new Date(at).toISOString()),
    note === undefined ? '' : `  ${note}`,
  );
  for (const { key, before, after } of keys) {
    if (before === undefined) page.line('  ', style.green('+'), ' ', key, '  ', valueLine(after));
    else if (after === undefined) page.line('  ', style.red('-'), ' ', key, '  ', valueLine(before));
    else page.line('  ', style.yellow('~'), ' ', key, '  ', valueLine(before), ' → ', valueLine(after));
  }
  for (const row of rows) page.line('  ', rowLine(row));
}

function rowLine({ table, operation, before, after }: RowChange): string {
  if (operation === 'insert') return `+ ${table} ${listText(after)}`;
  if (operation === 'delete') return `- ${table} ${listText(before)}`;
  return `~ ${table} ${listText(before)} → ${listText(after)}`;
}

function jsonSafe(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  return value instanceof Uint8Array ? { hex: Buffer.from(value).toString('hex') } : value;
}

function sideData(stored: StoredValue | undefined): unknown {
  return stored === undefined ? null : shownValue(stored).value;
}

function listText(values: readonly unknown[]): string {
  return JSON.stringify(values.map(jsonSafe));
}
