export { gitErrors } from './errors.ts';
export { locateGit } from './locate.ts';
export { gitFailed, gitText, initRepository, keepStderr, nulTerminated, runGit, startGit } from './run.ts';
export { addWorktree, worktreeOf } from './worktree.ts';
