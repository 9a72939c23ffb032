import { presentRoot } from '../../adapters/library-root.ts';
import { isOwnerAlive, ownerOfThisProcess } from '../../adapters/process.ts';
import type { OperationType } from '../../model/choices.ts';
import type { OperationContext } from '../../model/engines.ts';
import { audiobookErrors } from '../../model/errors.ts';
import { isFinished, type Operation, type OperationOptions } from '../../model/operation.ts';
import { toTime } from '../../model/stored.ts';
import { libraries, operations } from '../../store/definitions.ts';
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

interface RecoverOptions {
  readonly signal?: AbortSignal | undefined;
  /** If omitted, the age of a heartbeat is computed from its timestamp, which another machine may have written. */
  readonly heartbeats?: Heartbeats | undefined;
  /** Returns false for an operation whose files are on another machine. */
  readonly isHere?: (operation: Operation) => Promise<boolean>;
}

/**
 * Claims and recovers operations whose process died. Runs at every start. If several processes start at once, only one
 * of them claims each operation.
 */
export async function recoverOperations(
  audiobooks: Audiobooks,
  recoverers: Recoverers,
  { signal, heartbeats, isHere = () => Promise.resolve(true) }: RecoverOptions = {},
): Promise<readonly Recovered[]> {
  const recovered: Recovered[] = [];
  for (const operation of await openOperations(audiobooks.store)) {
    if (signal?.aborted === true) break;
    if (!isAbandoned(operation, audiobooks.now(), heartbeats) || !(await isHere(operation))) continue;
    if (!(await claim(audiobooks, operation))) continue;
    const recover = recoverers[operation.type] ?? endedEarly;
    const finished = await execute(audiobooks, operation, { signal }, (context) => recover(operation, context)).catch(
      () => undefined,
    );
    recovered.push({ id: operation.id, type: operation.type, status: finished?.status ?? 'failed' });
  }
  return recovered;
}

/**
 * Remembers, for each operation on another machine, the last heartbeat and when this process saw it. Measures the time
 * since then with this process's monotonic clock, because the clocks of two machines may differ by more than a lease.
 */
export class Heartbeats {
  readonly #seen = new Map<string, { readonly heartbeat: string; readonly at: number }>();

  /** Returns the number of milliseconds since the heartbeat last changed, as seen by this process. */
  age({ id, heartbeat_at: heartbeat, created_at: created }: Operation): number {
    const now = performance.now();
    const current = heartbeat ?? created;
    const seen = this.#seen.get(id);
    if (seen?.heartbeat === current) return now - seen.at;
    this.#seen.set(id, { heartbeat: current, at: now });
    return 0;
  }
}

function isAbandoned(operation: Operation, now: number, heartbeats: Heartbeats | undefined): boolean {
  const { owner, heartbeat_at: heartbeat, created_at: created } = operation;
  const isAlive = owner === null ? undefined : isOwnerAlive(owner);
  if (isAlive !== undefined) return !isAlive;
  const age = heartbeats?.age(operation) ?? now - Date.parse(heartbeat ?? created);
  return age >= OPERATION_LEASE_MS;
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
  Promise.reject(new Error(`The process ended during this ${operation.type}; finished parts are kept.`));

/** Finishes or undoes every operation whose process died and whose files are on this machine. */
export function recoverInterrupted(
  audiobooks: Audiobooks,
  signal?: AbortSignal,
  heartbeats?: Heartbeats,
): Promise<readonly Recovered[]> {
  const recoverers = recoverersFor(audiobooks);
  const isHere = async ({ type, params }: Operation): Promise<boolean> =>
    recoverers[type] === undefined || hasFolder(audiobooks, String(params['library']));
  return recoverOperations(audiobooks, recoverers, { signal, heartbeats, isHere });
}

/** Returns false if the library's folder is on another machine, or its disk is not mounted. */
async function hasFolder(audiobooks: Audiobooks, library: string): Promise<boolean> {
  const found = await audiobooks.store.get(libraries, { id: library });
  try {
    if (found !== undefined) presentRoot(found.root, false);
    return true;
  } catch {
    return false;
  }
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
