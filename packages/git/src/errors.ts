import { defineErrors } from '@holdfast/base';

export const gitErrors = defineErrors({
  GIT_FAILED: {
    kind: 'unavailable',
    means: 'git is not installed, or a git command failed. Existing commits are not affected.',
    hint: 'The message contains the output of git.',
  },
  GIT_REPOSITORY_REFUSED: {
    kind: 'conflict',
    means: 'Using this git repository would read or write files outside of it, or needs an unsupported git feature.',
    hint: 'The message names the file that causes the problem.',
  },
});
