import type { CreateOperation, Operation, UpdateOperation } from './operation.ts';

/**
 * Folds the second operation into the first if the result is the same. The last content is never dropped, and an
 * operation with a base version folds only onto that version. The result is possible only where the first was;
 * otherwise the operations run one by one. Nothing folds into a delete, because the trash must hold the last version.
 * Returns undefined to keep both.
 */
export function fold(first: Operation, second: Operation): CreateOperation | UpdateOperation | undefined {
  // The content of a relink is known only when it runs.
  if ('relink' in first || 'relink' in second || second.type !== 'update') return undefined;
  if (first.type === 'update') return foldUpdates(first, second);
  return first.type === 'create' ? foldIntoCreate(first, second) : undefined;
}

function foldUpdates(first: UpdateOperation, second: UpdateOperation): UpdateOperation | undefined {
  if (isEdit(first)) return undefined;
  if (first.path !== second.path || first.file_id !== second.file_id || !suits(second.base_hash, first))
    return undefined;
  const staged = second.staged ?? first.staged;
  return {
    type: 'update',
    path: second.path,
    file_id: second.file_id,
    ...(first.base_hash === undefined ? {} : { base_hash: first.base_hash }),
    ...(staged === undefined ? {} : { staged }),
    ...(second.metadata === undefined ? {} : { metadata: second.metadata }),
  };
}

function foldIntoCreate(first: CreateOperation, second: UpdateOperation): CreateOperation | undefined {
  if (first.kind !== 'file' || first.undo_of !== undefined || first.path !== second.path) return undefined;
  if (first.file_id !== second.file_id || !suits(second.base_hash, first) || isEdit(first)) return undefined;
  const staged = second.staged ?? first.staged;
  const { staged: _replaced, ...rest } = first;
  return {
    ...rest,
    ...(staged === undefined ? {} : { staged }),
    ...(second.metadata === undefined ? {} : { metadata: second.metadata }),
  };
}

/** Metadata is written into the file, so a later operation starts from different content. */
function isEdit({ metadata }: CreateOperation | UpdateOperation): boolean {
  return metadata !== undefined;
}

/** Returns whether the first operation leaves the base version of the second. */
function suits(base: string | undefined, first: CreateOperation | UpdateOperation): boolean {
  return base === undefined || base === first.staged?.hash;
}
