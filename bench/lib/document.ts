import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';

import { MEBIBYTE } from '@holdfast/base';

import type { Figure } from './harness.ts';
import { toMarkdown } from './table.ts';

const PATH = 'docs/benchmarks.md';
const BEGIN = '<!-- figures: written by `npm run bench -- --write` -->';
const END = '<!-- end of figures -->';

/** Writes the figures between the markers, with the context to judge them. */
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
