export { undocumented } from './documented.ts';
export { accessMatrix, walk, type WalkingRole } from './walk.ts';
