import { follow, shownValue, type StoredValue, toTimestamp } from '@holdfast/base';
import { type CommandContext, type Page, style } from '@holdfast/cli';
import { openStoreAt, type Store, type StoreCommit } from '@holdfast/hub/databases';
import { columnNames, type RowChange } from '@holdfast/sqlite';

import { databaseAt } from '../databases.ts';
import { valueLine } from '../stored-value.ts';

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
  const database = await openStoreAt(databaseAt(args.db, env));
  try {
    if (options.follow) return await followChanges(context, database);
    const entries = await readChanges(database, options);
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

async function followChanges({ options, out, signal }: CommandContext<Input>, database: Store): Promise<void> {
  const source = {
    read: (since: number) => database.changes(since, PAGE),
    subscribe: (wake: () => void) => database.onChange(wake),
  };
  const columns = columnsOf(database);
  let remaining = options.limit ?? Number.POSITIVE_INFINITY;
  for await (const entry of follow(source, options.since ?? (await database.revision()), signal)) {
    out.item(entryData(entry, columns), (page) => showEntry(page, entry, columns));
    remaining -= 1;
    if (remaining === 0) return;
  }
}

async function readChanges(database: Store, { since, limit }: Input['options']): Promise<StoreCommit[]> {
  const newest = await database.revision();
  const oldest = Math.max(0, (await database.oldestRevision()) - 1);
  const start = since ?? Math.max(oldest, newest - (limit ?? LAST_COMMITS));
  const entries: StoreCommit[] = [];
  const wanted = limit ?? (since === undefined ? LAST_COMMITS : Number.POSITIVE_INFINITY);
  for (let last = start; entries.length < wanted;) {
    const page = await database.changes(last, Math.min(PAGE, wanted - entries.length));
    if (page.length === 0) break;
    entries.push(...page);
    last = page.at(-1)?.revision ?? last;
  }
  return entries;
}

/** Caches the column names of each table. Migrations only append columns, so the current names also fit older rows. */
function columnsOf({ file }: Store): Columns {
  const known = new Map<string, readonly string[]>();
  return (table) => {
    const names = known.get(table) ?? (file === undefined ? [] : columnNames(file, table));
    known.set(table, names);
    return names;
  };
}

type Columns = (table: string) => readonly string[];

const DAMAGED = 'this journal entry cannot be read';

function entryData(entry: StoreCommit, columns: Columns): unknown {
  const { revision, at, note } = entry;
  if (entry.isDamaged) return { revision, at: toTimestamp(at), note: DAMAGED, changes: [] };
  const { keys, rows } = entry;
  return {
    revision,
    at: toTimestamp(at),
    note: note ?? null,
    changes:
      rows.length > 0
        ? rows.map(({ table, operation, before, after }) => ({
            table,
            operation,
            columns: columns(table),
            before: before.map(jsonSafe),
            after: after.map(jsonSafe),
          }))
        : keys.map(({ key, before, after }) => ({ key, before: sideData(before), after: sideData(after) })),
  };
}

function showEntry(page: Page, entry: StoreCommit, columns: Columns): void {
  const { revision, at, isDamaged } = entry;
  const note = isDamaged ? DAMAGED : entry.note;
  page.line(style.bold(`r${revision}`), '  ', style.dim(toTimestamp(at)), note === undefined ? '' : `  ${note}`);
  if (isDamaged) return;
  for (const { key, before, after } of entry.keys) {
    if (before === undefined) page.line('  ', style.green('+'), ' ', key, '  ', valueLine(after));
    else if (after === undefined) page.line('  ', style.red('-'), ' ', key, '  ', valueLine(before));
    else page.line('  ', style.yellow('~'), ' ', key, '  ', valueLine(before), ' → ', valueLine(after));
  }
  for (const row of entry.rows)
    page.line('  ', signs[row.operation], ` ${row.table}  ${rowText(row, columns(row.table))}`);
}

const signs = { insert: style.green('+'), delete: style.red('-'), update: style.yellow('~') } as const;

/** Shows all values of an inserted or deleted row; for an updated row, its key and the changed columns. */
function rowText({ operation, before, after, isKeyColumn }: RowChange, names: readonly string[]): string {
  const sides = isKeyColumn.map((isKey, index) => ({
    name: names[index] ?? `column ${index + 1}`,
    isKey,
    before: before[index],
    after: after[index],
  }));
  if (operation !== 'update') {
    return sides.map(({ name, ...side }) => `${name}=${valueText(side.before ?? side.after ?? null)}`).join(' ');
  }
  const which = sides.filter(({ isKey }) => isKey).map((key) => `${key.name}=${valueText(key.before)}`);
  const changed = sides.filter((side) => !side.isKey && (side.before !== undefined || side.after !== undefined));
  return [
    which.join(' '),
    ...changed.map((side) => `${side.name}=${valueText(side.before)} → ${valueText(side.after)}`),
  ].join('  ');
}

function valueText(value: unknown): string {
  return value instanceof Uint8Array
    ? `0x${Buffer.from(value).toString('hex')}`
    : JSON.stringify(jsonSafe(value ?? null));
}

function jsonSafe(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  return value instanceof Uint8Array ? { hex: Buffer.from(value).toString('hex') } : value;
}

function sideData(stored: StoredValue | undefined): unknown {
  return stored === undefined ? null : shownValue(stored).value;
}
