import type { CreateOperation, DeleteOperation, Operation, UpdateOperation } from './operation.ts';

/** What is left to do of two operations that follow each other on the same file. */
export type Folded =
  | { readonly kind: 'merged'; readonly operation: CreateOperation | UpdateOperation | DeleteOperation }
  /** Both are done without touching anything. */
  | { readonly kind: 'nothing' };

/**
 * Folds the second into the first when nobody can tell the difference afterwards: the content that counts is never
 * dropped, and an operation that was made for a version is folded only onto that version. What is left is
 * possible only where the first was; where it is not, they have to be done one by one. Undefined: keep both.
 */
export function fold(first: Operation, second: Operation): Folded | undefined {
  // What a relink writes is known when it has its turn.
  if ('relink' in first || 'relink' in second) return undefined;
  if (first.type === 'update' && second.type === 'update') return foldUpdates(first, second);
  if (first.type === 'create' && second.type === 'update') return foldIntoCreate(first, second);
  if (first.type === 'update' && second.type === 'delete') return foldIntoDelete(first, second);
  if (first.type === 'create' && second.type === 'delete') return foldAway(first, second);
  return undefined;
}

function foldUpdates(first: UpdateOperation, second: UpdateOperation): Folded | undefined {
  if (isEdit(first)) return undefined;
  if (first.path !== second.path || first.file_id !== second.file_id || !suits(second.base_hash, first))
    return undefined;
  const staged = second.staged ?? first.staged;
  return {
    kind: 'merged',
    operation: {
      type: 'update',
      path: second.path,
      file_id: second.file_id,
      ...(first.base_hash === undefined ? {} : { base_hash: first.base_hash }),
      ...(staged === undefined ? {} : { staged }),
      ...(second.metadata === undefined ? {} : { metadata: second.metadata }),
    },
  };
}

function foldIntoCreate(first: CreateOperation, second: UpdateOperation): Folded | undefined {
  if (first.kind !== 'file' || first.undo_of !== undefined || first.path !== second.path) return undefined;
  if (first.file_id !== second.file_id || !suits(second.base_hash, first) || isEdit(first)) return undefined;
  const staged = second.staged ?? first.staged;
  const { staged: _replaced, ...rest } = first;
  return {
    kind: 'merged',
    operation: {
      ...rest,
      ...(staged === undefined ? {} : { staged }),
      ...(second.metadata === undefined ? {} : { metadata: second.metadata }),
    },
  };
}

/** The update never reaches the disk, so the delete has to hold what the update was made for. */
function foldIntoDelete(first: UpdateOperation, second: DeleteOperation): Folded | undefined {
  if (first.path !== second.path || second.kind !== 'file' || !suits(second.base_hash, first)) return undefined;
  const { base_hash: _checked, ...rest } = second;
  return {
    kind: 'merged',
    operation: { ...rest, ...(first.base_hash === undefined ? {} : { base_hash: first.base_hash }) },
  };
}

function foldAway(first: CreateOperation, second: DeleteOperation): Folded | undefined {
  if (first.kind !== 'file' || first.undo_of !== undefined || second.kind !== 'file') return undefined;
  if (first.path !== second.path || first.file_id !== second.file_id) return undefined;
  return suits(second.base_hash, first) ? { kind: 'nothing' } : undefined;
}

/** What is said about a file is written into it, so what comes later is about another content than the earlier had. */
function isEdit({ metadata }: CreateOperation | UpdateOperation): boolean {
  return metadata !== undefined;
}

/** Whether the version that the later one was made for is what the earlier one leaves. */
function suits(base: string | undefined, first: CreateOperation | UpdateOperation): boolean {
  return base === undefined || base === first.staged?.hash;
}
