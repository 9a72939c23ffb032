import { shownValue, type StoredValue, toTimestamp } from '@holdfast/base';
import type { Page } from '@holdfast/cli';
import { style } from '@holdfast/cli';
import type { JournalEntry, RowChange } from '@holdfast/sqlite';

import { valueLine } from './stored-value.ts';

export type Columns = (table: string) => readonly string[];

const DAMAGED = 'this journal entry cannot be read';

export function entryData(entry: JournalEntry, columns: Columns): unknown {
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

export function showEntry(page: Page, entry: JournalEntry, columns: Columns): void {
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

/** Shows all values of an inserted or deleted row; of an updated one, its key and the changes. */
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
