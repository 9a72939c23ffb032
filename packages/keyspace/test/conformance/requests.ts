import type { StoredValue } from '@holdfast/base';

import type { CommitRequest, Engine, EngineCommit, Entry } from '../../src/storage-engine.ts';

export type Values = Readonly<Record<string, StoredValue | undefined>>;

export function request(parts: Partial<CommitRequest>): CommitRequest {
  return { base: undefined, reads: new Map(), ranges: [], writes: new Map(), appends: [], additions: [], ...parts };
}

export function reads(values: Values): Map<string, StoredValue | undefined> {
  return new Map(Object.entries(values));
}

export function write(engine: Engine, values: Values) {
  return engine.commit(request({ writes: reads(values) }));
}

/** Appends to a log whose entries are `prefix/0001`, `prefix/0002`, … */
export function append(prefix: string, counterHolds: 'last' | 'next' = 'last', value?: string) {
  return {
    counterKey: `${prefix}-seq`,
    encoding: counterHolds === 'last' ? 'u64be' : 'decimal',
    counterHolds,
    build: (sequence: number): readonly Entry[] => [
      [`${prefix}/${String(sequence).padStart(4, '0')}`, value ?? String(sequence)],
    ],
  } as const;
}

export function sorted(commit: EngineCommit | undefined): unknown[] {
  return [...(commit?.changes ?? [])].sort((left, right) => (left.key < right.key ? -1 : 1));
}

export const everything = { gte: '', lt: '\u{10ffff}', limit: 100_000, reverse: false } as const;

export async function eventually(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 15_000;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error('It did not happen within fifteen seconds');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
