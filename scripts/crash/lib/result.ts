import type { Counts } from './campaign.ts';

export interface Result extends Readonly<Counts> {
  readonly name: string;
  readonly seconds: number;
  readonly seed: number;
}

export function isClean({ violations }: Result): boolean {
  return violations.length === 0;
}

const columns = ['campaign', 'cycles', 'kills', 'acknowledged', 'lost', 'phantom', 'partial', 'seconds', 'seed'];

function toRow(result: Result): string[] {
  const { name, cycles, kills, acknowledged, lost, phantom, partial, seconds, seed } = result;
  const numbers = [cycles, kills, acknowledged, lost, phantom, partial, Math.round(seconds)];
  return [name, ...numbers.map((value) => value.toLocaleString('en-GB')), String(seed)];
}

export function toTable(results: readonly Result[]): string {
  return aligned([columns, ...results.map(toRow)])
    .map((cells) => cells.join('  '))
    .join('\n');
}

/** The first column to the left, the others to the right. */
export function aligned(rows: readonly (readonly string[])[]): string[][] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows.map((row) =>
    row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))),
  );
}
