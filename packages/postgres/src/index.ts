export { type PostgresEngine, postgresEngine } from './engine.ts';
export { postgresErrors } from './errors.ts';
export { moveErrors } from './move/errors.ts';
export { fileTarget, openFileSource } from './move/file.ts';
export { cancelMove, moveStore, type MoveProgress } from './move/move.ts';
export { openSpaceSource, openSpaceTarget, refusePassword } from './move/space.ts';
export type { MoveSource, MoveTarget } from './move/sides.ts';
export type { ReplicationProblem } from './replication.ts';
export { restoreKeys } from './restore.ts';
