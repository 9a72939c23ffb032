export { undocumented } from './documented.ts';
export { accessMatrix, walk, type WalkingRole, type WalkStep } from './walk.ts';
