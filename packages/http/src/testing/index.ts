export { accessMatrix, walk, type WalkingRole, type WalkStep } from './walk.ts';
