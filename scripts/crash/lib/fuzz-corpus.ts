import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The inputs that reached new code in the last full run. Every test run includes them. */
export const CORPUS = 'scripts/crash/corpus';

const INPUTS_MAX = 12;
const BYTES_MAX = 300;

const pathOf = (folder: string, target: string): string => join(folder, `${target}.json`);

export function readCorpus(folder: string, target: string): readonly Buffer[] {
  const path = pathOf(folder, target);
  if (!existsSync(path)) return [];
  return (JSON.parse(readFileSync(path, 'utf8')) as string[]).map((text) => Buffer.from(text, 'base64'));
}

export function writeCorpus(folder: string, target: string, inputs: readonly Buffer[]): void {
  mkdirSync(folder, { recursive: true });
  const texts = inputs.map((input) => input.toString('base64'));
  writeFileSync(pathOf(folder, target), `${JSON.stringify(texts, undefined, 2)}\n`);
}

/** Returns a few short inputs, which fit into the repository. */
export function smallCorpus(inputs: readonly Buffer[]): readonly Buffer[] {
  const short = inputs.filter(({ length }) => length > 0 && length <= BYTES_MAX);
  return short.toSorted((left, right) => left.length - right.length).slice(-INPUTS_MAX);
}
