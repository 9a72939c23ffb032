import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';

import { MEBIBYTE } from '@holdfast/base';

import { type Figure, reachesGoal } from './harness.ts';

const PATH = 'docs/benchmarks.md';
const BEGIN = '<!-- figures: written by `npm run bench -- --write` -->';
const END = '<!-- end of figures -->';

/** Writes the figures between the markers, with machine and versions. */
export function writeDocument(figures: readonly Figure[]): void {
  const text = readFileSync(PATH, 'utf8');
  const begin = text.indexOf(BEGIN);
  const end = text.indexOf(END);
  if (begin === -1 || end < begin) throw new Error(`${PATH} has lost its markers`);
  const date = new Date().toISOString().slice(0, 'YYYY-MM-DD'.length);
  const about = `${date}, ${machine()}, by \`npm run bench -- --write\`:`;
  const part = [BEGIN, about, toMarkdown(figures), ''].join('\n\n');
  writeFileSync(PATH, text.slice(0, begin) + part + text.slice(end));
}

/** Describes the machine without identifying its owner. */
function machine(): string {
  const all = cpus();
  const model = all[0]?.model.trim() ?? 'unknown processor';
  return `${all.length} cores (${model}), ${Math.round(totalmem() / MEBIBYTE / 1_024)} GiB, Node ${process.versions.node}`;
}

const headings = ['name', 'value', 'goal', '', 'compared with'] as const;

export function toTable(figures: readonly Figure[]): string {
  return linedUp(figures)
    .map((row) => row.join('  ').trimEnd())
    .join('\n');
}

/** Returns the table for docs/benchmarks.md, formatted as prettier would. */
function toMarkdown(figures: readonly Figure[]): string {
  const [head = [], ...rows] = linedUp(figures);
  const rule = head.map((cell) => '-'.repeat(cell.length));
  return [head, rule, ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

/** A rule in Markdown needs three characters. */
const WIDTH_MIN = 3;

function linedUp(figures: readonly Figure[]): string[][] {
  const rows = [headings, ...figures.map(cells)];
  const widths = headings.map((_, column) => Math.max(WIDTH_MIN, ...rows.map((row) => (row[column] ?? '').length)));
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)));
}

function cells(figure: Figure): readonly string[] {
  const { name, value, unit, goal, better, baseline } = figure;
  const bound = better === 'lower' ? '≤' : '≥';
  return [name, withUnit(value, unit), `${bound} ${withUnit(goal, unit)}`, reachesGoal(figure) ? '✓' : '✗', baseline];
}

function withUnit(value: number, unit: string): string {
  const digits = Number.isInteger(value) ? 0 : Math.abs(value) >= 100 ? 0 : 2;
  return `${value.toFixed(digits)} ${unit}`;
}
