import { defineErrors } from '@holdfast/base';

export const gitErrors = defineErrors({
  GIT_FAILED: {
    kind: 'unavailable',
    means: 'git is not installed, or a git command failed. Existing commits are not affected.',
    hint: "The message contains git's output. Correct the problem that it describes; if git is missing, install it.",
  },
  GIT_REPOSITORY_REFUSED: {
    kind: 'conflict',
    means:
      'Using this git repository would read or write files outside the repository, or would need an unsupported git feature.',
    hint: 'Correct or remove the file or setting that the message names.',
  },
  REMOTE_ADDRESS: {
    kind: 'usage',
    means: "The remote repository's address is not supported, or contains a password.",
    hint:
      'Use https://HOST/PATH, ssh://USER@HOST/PATH or USER@HOST:PATH. To use a path on this machine, add ' +
      '--allow-path.',
  },
  REMOTE_UNREACHABLE: {
    kind: 'unavailable',
    means: 'The remote repository cannot be reached, or it rejects the credentials. Nothing was changed.',
    hint: "The message contains git's output. Check the address, the network and the credentials.",
  },
  REMOTE_REFUSED: {
    kind: 'conflict',
    means:
      'The remote repository sends more data than the limits allow, or objects that could be dangerous. Nothing was ' +
      'kept.',
    hint: 'The message gives the reason. Clean up the remote repository, or remove the remote.',
  },
});
