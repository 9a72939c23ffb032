import { isDeepStrictEqual } from 'node:util';
import { npErrors } from '../model/errors.ts';
import { describeEvent, type Event } from '../model/event.ts';
import type { Goal, Task } from '../model/plan.ts';
import { events, goals, notes, tasks } from '../store/definitions.ts';
import { readNotes } from '../store/queries.ts';
import { commitsBackwards, recordChanges, type StoredCommit } from '../store/store.ts';
import { type Change, changeSession } from './change.ts';
import { type Call, type Np, pinSession } from './np.ts';
import type { TaskChange } from './tasks.ts';

export interface Undone {
  /** Description of the undone change. */
  readonly undone: string;
  /** The restored tasks. Omits tasks whose addition was undone. */
  readonly tasks: readonly TaskChange[];
}

/**
 * Undoes everything that this actor's last command changed in the session. A second call undoes the command before that
 * one. The log keeps both the change and its reversal.
 */
export async function undoLastChange(np: Np, call: Call): Promise<Undone> {
  const { sid } = await pinSession(np, call.where);
  const { commit, added } = await lastOwnCommit(np, sid, call.actor);
  const [first, last] = [added[0] as Event, added.at(-1) as Event];
  const undone = describeUndone(added);
  return changeSession(np, call, async (change) => {
    const restored = await restoreTasks(change, commit);
    const hasGoal = await restoreGoal(change, commit);
    const hasNotes = await restoreNotes(change, commit);
    if (restored === undefined && !hasGoal && !hasNotes)
      throw npErrors.NOTHING_TO_UNDO(`This cannot be undone: ${undone}.`);
    change.emit('change_undone', { first_seq: first.seq, last_seq: last.seq, change: undone }, undefined);
    return { undone, tasks: restored ?? [] };
  });
}

/**
 * Describes the undone events. Leaves out the start of the session, which is never undone, unless it is the only event.
 */
function describeUndone(added: readonly Event[]): string {
  const [first, ...others] = added.length > 1 ? added.filter(({ type }) => type !== 'session_started') : added;
  return `${describeEvent(first as Event)}${others.length === 0 ? '' : ` (and ${others.length} more)`}`;
}

interface OwnCommit {
  readonly commit: StoredCommit;
  readonly added: readonly Event[];
}

/** Events that undo skips: `np a --undo` makes an archived session active again, and `np a` archives it again. */
const SKIPPED: ReadonlySet<string> = new Set<Event['type']>(['session_archived', 'session_unarchived']);

async function lastOwnCommit(np: Np, sid: string, actor: string | undefined): Promise<OwnCommit> {
  const undoneSeqs = new Set<number>();
  for await (const commit of commitsBackwards(np.store)) {
    const added: Event[] = recordChanges(commit, events, sid).flatMap(({ before, after }) =>
      before === undefined && after !== undefined ? [after] : [],
    );
    added.sort((left, right) => left.seq - right.seq);
    const [first] = added;
    if (first === undefined || first.actor !== actor || SKIPPED.has(first.type)) continue;
    if (first.type !== 'change_undone') {
      if (!undoneSeqs.has(first.seq)) return { commit, added };
    } else undoneSeqs.add(first.payload.first_seq);
  }
  throw npErrors.NOTHING_TO_UNDO(actor === undefined ? 'There is nothing to undo.' : `${actor} has nothing to undo.`);
}

/** Returns undefined if the commit changed no task. */
async function restoreTasks(change: Change, commit: StoredCommit): Promise<readonly TaskChange[] | undefined> {
  const { sid, tx, at } = change;
  const changed = recordChanges(commit, tasks, sid);
  const current = await tx.getMany(
    tasks,
    changed.map(({ key }) => ({ sid, id: String(key['id']) })),
  );
  for (const [index, { key, before, after }] of changed.entries()) {
    const id = String(key['id']);
    requireUnchanged(current[index], after, `Task ${id}`);
    // A note does not change its task. Without the task, nobody would see the note again.
    if (before === undefined && (await readNotes(tx, { sid, id })).length > 0) {
      throw npErrors.UNDO_CONFLICT(`Task ${id} has a note by somebody else.`);
    }
  }
  // Positions are unique, so all tasks are removed before the first one is stored at its old position.
  for (const task of current) if (task !== undefined) await change.removeTask(task);
  const restored: TaskChange[] = [];
  for (const [index, { before }] of changed.entries()) {
    if (before === undefined) continue;
    const version = Math.max(before.version, current[index]?.version ?? 0) + 1;
    const task: Task = { ...before, updated_at: at, version };
    await change.addTask(task);
    restored.push({ task, changed: true });
  }
  return changed.length === 0 ? undefined : restored;
}

async function restoreGoal({ sid, tx, at }: Change, commit: StoredCommit): Promise<boolean> {
  const [changed] = recordChanges(commit, goals, sid);
  if (changed === undefined) return false;
  requireUnchanged(await tx.get(goals, { sid }), changed.after, 'The goal');
  if (changed.before === undefined) await tx.delete(goals, { sid });
  else await tx.put(goals, { sid }, { ...changed.before, updated_at: at });
  return true;
}

/** Deletes or restores the notes that the commit added or deleted. Nothing else can happen to a note. */
async function restoreNotes({ sid, tx }: Change, commit: StoredCommit): Promise<boolean> {
  const changed = recordChanges(commit, notes, sid);
  for (const { key, before } of changed) {
    const place = { sid, id: String(key['id']), seq: Number(key['seq']) };
    if (before === undefined) await tx.delete(notes, place);
    else await tx.put(notes, place, before);
  }
  return changed.length > 0;
}

/**
 * Throws if the value has changed since then. Ignores version and time, which still differ if a later change was itself
 * undone.
 */
function requireUnchanged(current: Task | Goal | undefined, expected: Task | Goal | undefined, what: string): void {
  const isSame = (current === undefined) === (expected === undefined);
  if (isSame && isDeepStrictEqual(unstamped(current), unstamped(expected))) return;
  throw npErrors.UNDO_CONFLICT(`${what} has been changed again since then.`);
}

function unstamped(value: Task | Goal | undefined): object {
  return { ...value, updated_at: '', version: 0 };
}
