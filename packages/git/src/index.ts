export { remoteUrl } from './config.ts';
export { gitErrors } from './errors.ts';
export { locateGit } from './locate.ts';
export { gitFailed, gitText, initRepository, keepStderr, nulTerminated, runGit, startGit } from './run.ts';
export { checkAddress, type RemoteAccess } from './remote-address.ts';
export { distance, fetchRemote, pushRemote, serverOption, setReference } from './remote.ts';
export { addWorktree, worktreeOf } from './worktree.ts';
