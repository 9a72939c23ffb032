/**
 * nasin pali as a library: the operations behind the `np` command, for other programs.
 *
 * Open it with `openNp({ path })`, choose a session with a `Where`, and call `np.close()` at the end.
 * Every operation is one transaction; any number of processes may work on the same database.
 *
 * @module
 */
export { canonicalDirectory } from './adapters/directory.ts';
export { databasePath } from './adapters/place.ts';
export { npErrors } from './model/errors.ts';
export type { Event, EventType, PayloadOf } from './model/event.ts';
export { type ExportedSession, parseExport } from './model/exported.ts';
export type { Plan, SessionSummary } from './model/plan.ts';
export type { TaskUpdate } from './model/reason.ts';
export type { Goal, Session, Stats, StatusCounts, Task, TaskSnapshot } from './model/session.ts';
export { LABEL_BY_STATUS, type Status, STATUSES, SYMBOL_BY_STATUS } from './model/status.ts';
export type { TaskContent } from './model/task-id.ts';
export { type AddedTask, addTasks, type AddTasksRequest } from './service/add-tasks.ts';
export { type Archived, archiveSession } from './service/archive-session.ts';
export { type ClaimRequest, claimTask } from './service/claim-task.ts';
export { deleteTask } from './service/delete-task.ts';
export { exportSession } from './service/export-session.ts';
export { importSession, type ImportRequest } from './service/import-session.ts';
export { listKeys, type StoredKey } from './service/list-keys.ts';
export { listSessions } from './service/list-sessions.ts';
export { moveTask, type MoveRequest } from './service/move-task.ts';
export { type Call, type Np, type NpOptions, openNp, type Where } from './service/np.ts';
export { followGlobalLog, followLog, type LogPart, readGlobalLog, readLog } from './service/read-log.ts';
export { setGoal, type SetGoalRequest, updateGoal, type UpdateGoalRequest } from './service/goals.ts';
export { listTasks, showPlan, type TaskList } from './service/show-plan.ts';
export { type Started, startSession, type StartRequest } from './service/start-session.ts';
export { type UpdatedTask, updateTasks, type UpdateTasksRequest } from './service/update-tasks.ts';
export { verify } from './service/verify.ts';
export { schema } from './store/definitions.ts';
