/**
 * nasin pali as a library: the operations behind the `np` command, for other programs.
 *
 * Open it with `openNp({ path })`, choose a session with a `Where`, and call `np.close()` at the end. Every change is
 * one transaction; any number of processes may work on the same database.
 *
 * @module
 */
export { canonicalDirectory, databaseOf } from './adapters/files.ts';
export { npErrors } from './model/errors.ts';
export type { Event, EventType, PayloadOf } from './model/event.ts';
export { type ExportedSession, parseExport } from './model/exported.ts';
export type { NewTask, TaskContent } from './model/ids.ts';
export { statusLabel, STATUSES, SYMBOL_BY_STATUS } from './model/plan.ts';
export type { Goal, Plan, Session, SessionSummary, Stats, Status, StatusCounts, Task } from './model/plan.ts';
export type { TaskUpdate } from './model/text.ts';
export { findTasks } from './service/find.ts';
export { followGlobalLog, followLog, type LogPart, readGlobalLog, readLog } from './service/log.ts';
export { type Call, type Np, type NpOptions, openNp, type Where } from './service/np.ts';
export { listTasks, setGoal, showPlan, type ShownPlan, type TaskList, updateGoal } from './service/plan.ts';
export {
  archiveSession,
  exportSession,
  importSession,
  listSessions,
  startSession,
  unarchiveSession,
} from './service/sessions.ts';
export { claimTask, releaseTask } from './service/claims.ts';
export { addTasks, deleteTask, moveTask, type TaskChange, updateTasks } from './service/tasks.ts';
export { type Undone, undoLastChange } from './service/undo.ts';
export { listKeys, type StoredKey, verify } from './service/verify.ts';
export { schema } from './store/definitions.ts';
