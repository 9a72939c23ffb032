import { readFileSync, writeFileSync } from 'node:fs';

import { aligned, type Result } from './result.ts';

const PATH = 'docs/crash-campaigns.md';
const BEGIN = '<!-- figures: written by `npm run crash -- [NAME] --write` -->';
const END = '<!-- end of figures -->';
const HEADING = [
  'campaign',
  'date',
  'cycles',
  'kills',
  'acknowledged',
  'lost',
  'phantom',
  'partial',
  'seconds',
  'seed',
  'bound',
];

/** Writes the last whole result of each campaign between the markers; others keep theirs. */
export function writeDocument(results: readonly Result[]): void {
  const text = readFileSync(PATH, 'utf8');
  const begin = text.indexOf(BEGIN);
  const end = text.indexOf(END);
  if (begin === -1 || end < begin) throw new Error(`${PATH} has lost its markers`);
  const rows = new Map(rowsIn(text.slice(begin + BEGIN.length, end)).map((row) => [row[0], row]));
  for (const result of results) rows.set(result.name, toRow(result));
  const table = toMarkdown([...rows.values()]);
  writeFileSync(PATH, `${text.slice(0, begin)}${BEGIN}\n\n${table}\n\n${text.slice(end)}`);
}

function toRow(result: Result): string[] {
  const { name, cycles, kills, acknowledged, lost, phantom, partial, seconds, seed } = result;
  const date = new Date().toISOString().slice(0, 'YYYY-MM-DD'.length);
  const numbers = [cycles, kills, acknowledged, lost, phantom, partial, Math.round(seconds)];
  return [name, date, ...numbers.map((value) => value.toLocaleString('en-GB')), String(seed), bound(result)];
}

/** Upper bound of the undetected failure rate per cycle. */
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
  const [heading = [], ...body] = aligned([HEADING, ...rows]);
  const line = heading.map((cell, at) => (at === 0 ? '-'.repeat(cell.length) : `${'-'.repeat(cell.length - 1)}:`));
  return [heading, line, ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
