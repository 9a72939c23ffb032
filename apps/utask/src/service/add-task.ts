import { isHoldfastError } from '@holdfast/base';
import { encodeTask, type Task } from '../model/task.ts';
import type { UtaskHost } from './host.ts';
import type { Utask } from './utask.ts';

/** Tasks whose addition was interrupted by a lost server, with unknown outcome. */
export interface Unconfirmed {
  read(): readonly Task[] | undefined;
  write(tasks: readonly Task[] | undefined): unknown;
}

export interface AddedTasks {
  readonly added: readonly Task[];
  /** Why some were not added. */
  readonly failures: readonly unknown[];
}

/** Concurrent additions share writes of tag lists, which are most of the work. */
const CONCURRENT = 32;

/**
 * Adds one task for each text as it arrives. Reuses the task of an earlier attempt with unknown outcome,
 * so that it is not added twice. Stops reading after the first failure.
 */
export async function addTasks(
  { utask, unconfirmed, undoLog }: UtaskHost,
  texts: AsyncIterable<string> | Iterable<string>,
  tags: readonly string[],
): Promise<AddedTasks> {
  const pending = [...(unconfirmed.read() ?? [])];
  const before = pending.length;
  const lost: Task[] = [];
  const failures: unknown[] = [];
  const addText = async (text: string): Promise<Task | undefined> => {
    let task: Task | undefined;
    try {
      task = takeSame(pending, utask.draft(text, tags));
      return await addOne(utask, task);
    } catch (error) {
      if (task !== undefined && isHoldfastError(error, 'OUTCOME_UNKNOWN')) lost.push(task);
      failures.push(error);
      return undefined;
    }
  };
  const adding = await startEach(texts, addText, failures);
  const added = (await Promise.all(adding)).filter((task) => task !== undefined);
  const left = [...pending, ...lost];
  if (left.length !== before || lost.length > 0) unconfirmed.write(left.length === 0 ? undefined : left);
  undoLog.record(added.map((task) => ({ id: task.id, before: null, after: encodeTask(task) })));
  return { added, failures };
}

/** Limits concurrency. A failure to read texts counts as a failure. */
async function startEach<T>(
  texts: AsyncIterable<string> | Iterable<string>,
  start: (text: string) => Promise<T>,
  failures: unknown[],
): Promise<readonly Promise<T>[]> {
  const started: Promise<T>[] = [];
  const running = new Set<Promise<unknown>>();
  try {
    for await (const text of texts) {
      if (failures.length > 0) break;
      const one = start(text);
      started.push(one);
      running.add(one);
      void one.finally(() => running.delete(one));
      if (running.size >= CONCURRENT) await Promise.race(running);
    }
  } catch (error) {
    failures.push(error);
  }
  return started;
}

/** Takes the task of an earlier attempt from `pending`, or returns the draft. */
function takeSame(pending: Task[], draft: Task): Task {
  const isSame = (task: Task): boolean => task.text === draft.text && task.tags.join() === draft.tags.join();
  const at = pending.findIndex(isSame);
  return at < 0 ? draft : (pending.splice(at, 1)[0] as Task);
}

async function addOne(utask: Utask, task: Task): Promise<Task> {
  if ((await utask.insert(task)) || (await utask.resolve(task.id)).id !== undefined) return task;
  return utask.add(task.text, task.tags);
}
