import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';

import type { OperationContext, Step, StepJournal } from '../src/model/engines.ts';

/** A durable step journal in a file, for engine tests without a database. */
function fileJournal(path: string): StepJournal {
  const read = (): Step[] => (existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Step[]) : []);
  return {
    plan(steps) {
      const before = read();
      const added = steps.map((step, index): Step => ({ ...step, seq: before.length + index + 1, state: 'planned' }));
      writeDurably(path, JSON.stringify([...before, ...added]));
      return Promise.resolve(added.map(({ seq }) => seq));
    },
    mark(seqs, state) {
      const marked = read().map((step) => (seqs.includes(step.seq) ? { ...step, state } : step));
      writeDurably(path, JSON.stringify(marked));
      return Promise.resolve();
    },
    steps: () => Promise.resolve(read()),
  };
}

export function writeDurably(path: string, text: string): void {
  const descriptor = openSync(`${path}.new`, 'w');
  writeSync(descriptor, text);
  fsyncSync(descriptor);
  closeSync(descriptor);
  renameSync(`${path}.new`, path);
}

export function testContext(
  journalPath: string,
  operationId = 'OP1',
): OperationContext & { readonly logged: string[] } {
  const logged: string[] = [];
  return {
    operationId,
    signal: new AbortController().signal,
    progress: () => undefined,
    log: (level, message) => void logged.push(`${level}: ${message}`),
    journal: fileJournal(journalPath),
    logged,
  };
}
