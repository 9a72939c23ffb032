import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { CORPUS, readCorpus } from './fuzz-corpus.ts';
import { fuzzTargets, isExpected } from './fuzz-targets.ts';

const corpus = resolve(import.meta.dirname, '../../..', CORPUS);

it.each(fuzzTargets)('the parser $name reads or refuses every input that the campaign kept', async (target) => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-fuzz-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const samples = target.samples().map((sample) => Buffer.from(sample));
  const failures: unknown[] = [];
  for (const input of [...samples, ...readCorpus(corpus, target.name)]) {
    try {
      await target.run(input, folder);
    } catch (error) {
      failures.push(error);
    }
  }
  expect(failures.filter((error) => !isExpected(error))).toEqual([]);
});
