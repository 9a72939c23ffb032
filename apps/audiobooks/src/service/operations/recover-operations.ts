import { isOwnerAlive, ownerOfThisProcess } from '../../adapters/process.ts';
import type { OperationType } from '../../model/choices.ts';
import type { OperationContext } from '../../model/engines.ts';
import { audiobookErrors } from '../../model/errors.ts';
import { isFinished, type Operation, type OperationOptions } from '../../model/operation.ts';
import { toTime } from '../../model/stored.ts';
import { operations } from '../../store/definitions.ts';
import { openOperations, readOperation } from '../../store/operations.ts';
import type { Audiobooks } from '../audiobooks.ts';
import { undoChange } from '../changes/undo-change.ts';
import { libraryById } from '../libraries.ts';
import { isSwitchedBack, undoMerge } from '../merge/encode-book.ts';
import { areMovesApplied, organise, undoOrganise } from '../organise-books.ts';
import { undoTags } from '../tag-book.ts';
import { execute, OPERATION_LEASE_MS, type OperationOutcome, runOperation } from './run-operation.ts';

/** Finishes an operation whose process died and returns its result, or undoes the operation and throws. */
type Recoverer = (operation: Operation, context: OperationContext) => Promise<OperationOutcome>;
type Recoverers = Readonly<Partial<Record<OperationType, Recoverer>>>;

interface Recovered {
  readonly id: string;
  readonly type: OperationType;
  readonly status: Operation['status'];
}

/**
 * Claims and recovers operations whose process died. Runs at every start. If several processes start at once, only one
 * of them claims each operation.
 */
export async function recoverOperations(
  audiobooks: Audiobooks,
  recoverers: Recoverers,
  signal?: AbortSignal,
): Promise<readonly Recovered[]> {
  const recovered: Recovered[] = [];
  for (const operation of await openOperations(audiobooks.store)) {
    if (signal?.aborted === true) break;
    if (!isAbandoned(operation, audiobooks.now()) || !(await claim(audiobooks, operation))) continue;
    const recover = recoverers[operation.type] ?? endedEarly;
    const finished = await execute(audiobooks, operation, { signal }, (context) => recover(operation, context)).catch(
      () => undefined,
    );
    recovered.push({ id: operation.id, type: operation.type, status: finished?.status ?? 'failed' });
  }
  return recovered;
}

function isAbandoned({ owner, heartbeat_at: heartbeat, created_at: created }: Operation, now: number): boolean {
  const isAlive = owner === null ? undefined : isOwnerAlive(owner);
  return isAlive === undefined ? now - Date.parse(heartbeat ?? created) > OPERATION_LEASE_MS : !isAlive;
}

function claim({ store, now }: Audiobooks, seen: Operation): Promise<boolean> {
  return store.transact(async (tx) => {
    const current = await tx.get(operations, { id: seen.id });
    if (current === undefined || isFinished(current) || current.owner !== seen.owner) return false;
    await tx.put(
      operations,
      { id: seen.id },
      {
        ...current,
        status: 'interrupted',
        owner: ownerOfThisProcess(),
        heartbeat_at: toTime(now()),
        attempts: current.attempts + 1,
      },
    );
    return true;
  });
}

const endedEarly: Recoverer = (operation) =>
  Promise.reject(new Error(`The process ended during this ${operation.type}; finished parts stay.`));

/** Finishes or undoes every operation whose process died. */
export function recoverInterrupted(audiobooks: Audiobooks, signal?: AbortSignal): Promise<readonly Recovered[]> {
  return recoverOperations(audiobooks, recoverersFor(audiobooks), signal);
}

function recoverersFor(audiobooks: Audiobooks): Recoverers {
  const settleMoves: Recoverer = async ({ params }, context) => {
    const library = await libraryById(audiobooks, String(params['library']));
    const isCommitted = areMovesApplied.bind(undefined, audiobooks);
    await audiobooks.engines.organise.recover({ root: library.root, context, isCommitted });
    return { result: {} };
  };

  /** Finishes or undoes the interrupted move of a book, then continues with the other books. */
  const organize: Recoverer = async (operation, context) => {
    await settleMoves(operation, context);
    const { library, template, books } = operation.params;
    const wish = { library: await libraryById(audiobooks, String(library)), template: String(template) };
    return organise(audiobooks, { ...wish, books: books as readonly string[] | undefined }, context);
  };

  const encode: Recoverer = async ({ id, params }, context) => {
    const library = await libraryById(audiobooks, String(params['library']));
    const outcome = await audiobooks.engines.merge.recover({
      root: library.root,
      context,
      isCommitted: async () => (await readOperation(audiobooks.store, id)).result?.['switched'] === true,
    });
    const { result } = await readOperation(audiobooks.store, id);
    return { ...finishedOrThrow(outcome, result ?? {}), undoable: true };
  };

  const undo: Recoverer = async (operation, context) => {
    const done = await readOperation(audiobooks.store, String(operation.params['operation']));
    if (done.type === 'organize') {
      await settleMoves(operation, context);
      const outcome = await undoOrganise(audiobooks, done, context);
      await noteUndone(audiobooks, done.id, operation.id);
      return outcome;
    }
    const library = await libraryById(audiobooks, String(done.params['library']));
    const isCommitted = async (): Promise<boolean> =>
      done.type === 'tag' ? done.undone_by !== null : isSwitchedBack(audiobooks, done);
    const outcome = finishedOrThrow(
      await audiobooks.engines.merge.recover({ root: library.root, context, isCommitted }),
      {},
    );
    await noteUndone(audiobooks, done.id, operation.id);
    return outcome;
  };

  return { organize, merge: encode, transcode: encode, tag: encode, undo };
}

function finishedOrThrow(outcome: 'finished' | 'undone', result: Readonly<Record<string, unknown>>): OperationOutcome {
  if (outcome === 'finished') return { result: { ...result, recovered: true } };
  throw audiobookErrors.OPERATION_CANCELLED('The process ended early; all changes were rolled back.');
}

interface UndoRequest extends OperationOptions {
  readonly operation: string;
}

/** Undoes an operation: files, fields and positions. */
export async function undoOperation(audiobooks: Audiobooks, request: UndoRequest): Promise<Operation> {
  const done = await readOperation(audiobooks.store, request.operation);
  if (!done.undoable || done.undone_by !== null) {
    const again = done.undone_by === null ? '' : ' twice';
    throw audiobookErrors.NOT_UNDOABLE(`Operation ${done.id} (${done.type}) cannot be undone${again}.`);
  }
  if (done.type === 'edit' || done.type === 'import') return undoChange(audiobooks, done, request.by);
  const operation = {
    ...request,
    type: 'undo',
    target: done.target,
    params: { ...done.params, operation: done.id },
    createdBy: request.by,
    undoes: done.id,
  } as const;
  return runOperation(audiobooks, operation, async (context) => {
    const undo = done.type === 'organize' ? undoOrganise : done.type === 'tag' ? undoTags : undoMerge;
    const outcome = await undo(audiobooks, done, context);
    await noteUndone(audiobooks, done.id, context.operationId);
    return outcome;
  });
}

async function noteUndone({ store }: Audiobooks, id: string, by: string): Promise<void> {
  await store.transact((tx) => tx.update(operations, { id }, (now) => ({ ...now, undone_by: by, undoable: false })));
}
