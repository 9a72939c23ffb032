import { type Figure, reachesGoal } from './harness.ts';

const headings = ['name', 'value', 'goal', '', 'compared with'] as const;

/** Aligned columns for the terminal. */
export function toTable(figures: readonly Figure[]): string {
  return linedUp(figures)
    .map((row) => row.join('  ').trimEnd())
    .join('\n');
}

/** For docs/benchmarks.md, as prettier formats it. */
export function toMarkdown(figures: readonly Figure[]): string {
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
