import { readFileSync, writeFileSync } from 'node:fs';

import type { Counts } from './campaign.ts';

const PATH = 'docs/crash-campaigns.md';
const BEGIN = '<!-- figures: written by `npm run crash -- [NAME] --write` -->';
const END = '<!-- end of figures -->';
const COLUMNS = ['campaign', 'cycles', 'kills', 'acknowledged', 'lost', 'phantom', 'partial', 'seconds', 'seed'];

/** Writes the results of whole runs between the markers; campaigns that did not run keep their last result. */
export function writeDocument(results: readonly Result[]): void {
  const text = readFileSync(PATH, 'utf8');
  const begin = text.indexOf(BEGIN);
  const end = text.indexOf(END);
  if (begin === -1 || end < begin) throw new Error(`${PATH} has lost its markers`);
  const rows = new Map(rowsIn(text.slice(begin + BEGIN.length, end)).map((row) => [row[0], row]));
  for (const result of results) rows.set(result.name, documentRow(result));
  const table = toMarkdown([...rows.values()]);
  writeFileSync(PATH, `${text.slice(0, begin)}${BEGIN}\n\n${table}\n\n${text.slice(end)}`);
}

function documentRow(result: Result): string[] {
  const [name = '', ...figures] = toRow(result);
  return [name, new Date().toISOString().slice(0, 'YYYY-MM-DD'.length), ...figures, bound(result)];
}

/**
 * If no cycle failed, returns the upper bound of the failure rate per cycle with 95 % confidence ("rule of three").
 */
function bound({ cycles, lost, phantom, partial }: Result): string {
  if (lost + phantom + partial > 0) return 'violated';
  return `< ${((3 / cycles) * 100).toPrecision(2)} %`;
}

function rowsIn(text: string): string[][] {
  const rows = text.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| campaign'));
  const cells = rows.map((line) => line.split('|').slice(1, -1));
  return cells.map((row) => row.map((cell) => cell.trim())).filter(([name]) => !/^-+$/u.test(name ?? ''));
}

function toMarkdown(rows: readonly string[][]): string {
  const [heading = [], ...body] = aligned([['campaign', 'date', ...COLUMNS.slice(1), 'bound'], ...rows]);
  const line = heading.map((cell, at) => (at === 0 ? '-'.repeat(cell.length) : `${'-'.repeat(cell.length - 1)}:`));
  return [heading, line, ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

export interface Result extends Readonly<Counts> {
  readonly name: string;
  readonly seconds: number;
  readonly seed: number;
}

export function isClean({ violations }: Result): boolean {
  return violations.length === 0;
}

function toRow(result: Result): string[] {
  const { name, cycles, kills, acknowledged, lost, phantom, partial, seconds, seed } = result;
  const numbers = [cycles, kills, acknowledged, lost, phantom, partial, Math.round(seconds)];
  return [name, ...numbers.map((value) => value.toLocaleString('en-GB')), String(seed)];
}

export function toTable(results: readonly Result[]): string {
  return aligned([COLUMNS, ...results.map(toRow)])
    .map((cells) => cells.join('  '))
    .join('\n');
}

/** Aligns the first column to the left and the others to the right. */
function aligned(rows: readonly (readonly string[])[]): string[][] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows.map((row) =>
    row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))),
  );
}
