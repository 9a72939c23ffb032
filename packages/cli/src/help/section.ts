/** Labels on the left, descriptions on the right. */
import type { Text } from '../text/text.ts';
import { displayWidth } from '../text/width.ts';
import { wrap } from '../text/wrap.ts';

export interface Entry {
  readonly label: string;
  readonly summary: string;
}

const INDENT = '  ';
const LABEL_COLUMNS_MAX = 32;
const SUMMARY_COLUMNS_MIN = 24;

/** Width of the left column; very long labels do not widen it. */
export function labelWidth(entries: readonly Entry[]): number {
  const widest = entries.reduce((width, entry) => Math.max(width, displayWidth(entry.label)), 0);
  return Math.min(widest, LABEL_COLUMNS_MAX);
}

export function entryLines(entries: readonly Entry[], labelColumns: number, columns: number): readonly Text[] {
  const indent = INDENT.length + labelColumns + INDENT.length;
  const summaryColumns = Math.max(SUMMARY_COLUMNS_MIN, columns - indent);
  return entries.flatMap(({ label, summary }) => {
    const [first = '', ...more] = wrap(summary, summaryColumns);
    const padding = labelColumns - displayWidth(label);
    const beginning =
      padding < 0
        ? [`${INDENT}${label}`, ' '.repeat(indent) + first]
        : [`${INDENT}${label}${' '.repeat(padding)}${INDENT}${first}`];
    return [...beginning, ...more.map((line) => ' '.repeat(indent) + line)];
  });
}
