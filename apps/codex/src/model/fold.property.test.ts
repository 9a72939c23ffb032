import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { fold } from './select-group.ts';
import type { FileMetadata, Operation } from './operation.ts';
import type { NotebookPath } from './path.ts';

const path = 'a.md' as NotebookPath;
const at = { path, file_id: 'F' } as const;
const content = (hash: string): { staged: { hash: string; size: number } } => ({ staged: { hash, size: 1 } });

/** A naive model of a file; undefined if there is none. `failed` counts impossible operations. */
interface State {
  readonly file: { readonly hash: string; readonly metadata: FileMetadata } | undefined;
}

function apply({ file }: State, operation: Operation): State | 'refused' {
  switch (operation.type) {
    case 'create':
      if (file !== undefined) return 'refused';
      return { file: { hash: operation.staged?.hash ?? '', metadata: operation.metadata ?? {} } };
    case 'update':
      if (file === undefined || (operation.base_hash ?? file.hash) !== file.hash) return 'refused';
      return {
        file: {
          hash: operation.staged?.hash ?? file.hash,
          metadata: { ...file.metadata, ...operation.metadata },
        },
      };
    case 'delete':
      if (file === undefined || (operation.base_hash ?? file.hash) !== file.hash) return 'refused';
      return { file: undefined };
    case 'move':
    case 'sync':
    case 'batch_commit':
    default:
      return { file };
  }
}

const hash = fc.constantFrom('h1', 'h2', 'h3');
const metadata = fc.record(
  { title: fc.constantFrom('t1', 't2'), description: fc.constantFrom('d') },
  { requiredKeys: [] },
);
/** Often undefined, because nothing is ever folded into an operation with metadata. */
const said = fc.option(metadata, { nil: undefined, freq: 1 });
const base = fc.option(hash, { nil: undefined });
const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({ hash, metadata: said }).map((given): Operation => ({
    type: 'create',
    kind: 'file',
    ...at,
    ...content(given.hash),
    ...(given.metadata === undefined ? {} : { metadata: given.metadata }),
  })),
  fc.record({ hash: fc.option(hash, { nil: undefined }), metadata: said, base }).map((given): Operation => ({
    type: 'update',
    ...at,
    ...(given.hash === undefined ? {} : content(given.hash)),
    ...(given.metadata === undefined ? {} : { metadata: given.metadata }),
    ...(given.base === undefined ? {} : { base_hash: given.base }),
  })),
  base.map((given): Operation => ({
    type: 'delete',
    kind: 'file',
    ...at,
    ...(given === undefined ? {} : { base_hash: given }),
  })),
);
const start: fc.Arbitrary<State> = fc.oneof(
  fc.constant({ file: undefined }),
  hash.map((known): State => ({ file: { hash: known, metadata: {} } })),
);

describe('folding two operations on one file', () => {
  it('comes to the same end as doing both, wherever both are possible', () => {
    let folds = 0;
    fc.assert(
      fc.property(start, operation, operation, (state, first, second) => {
        const folded = fold(first, second);
        if (folded === undefined) return;
        folds += 1;
        const middle = apply(state, first);
        if (middle === 'refused') return;
        const wanted = apply(middle, second);
        expect(apply(state, folded)).toEqual(wanted);
      }),
      { numRuns: 5_000, seed: 1 },
    );
    expect(folds).toBeGreaterThan(400);
  });

  it('never makes possible what was not: where the first is refused, so is what is left', () => {
    fc.assert(
      fc.property(start, operation, operation, (state, first, second) => {
        const folded = fold(first, second);
        if (folded === undefined || apply(state, first) !== 'refused') return;
        expect(apply(state, folded)).toBe('refused');
      }),
      { numRuns: 5_000, seed: 2 },
    );
  });

  it('keeps both where the order matters to others', () => {
    const create: Operation = { type: 'create', kind: 'file', ...at, ...content('h1') };
    const remove: Operation = { type: 'delete', kind: 'file', ...at };
    const move: Operation = { type: 'move', kind: 'file', source_path: path, dest_path: 'b.md' as NotebookPath };
    const folder: Operation = { type: 'delete', kind: 'folder', path };
    for (const [first, second] of [
      [remove, create],
      [create, move],
      [move, remove],
      [create, folder],
      [create, remove],
      [{ type: 'update', ...at, ...content('h2') }, remove],
      [create, { type: 'sync', path, event: 'look' }],
    ] as const) {
      expect(fold(first, second)).toBeUndefined();
    }
  });

  it('keeps the content of an update when the next says only what the file is about', () => {
    const first: Operation = { type: 'update', ...at, ...content('h2') };
    expect(fold(first, { type: 'update', ...at, metadata: { title: 'T' } })).toMatchObject({
      staged: { hash: 'h2' },
      metadata: { title: 'T' },
    });
  });
});
