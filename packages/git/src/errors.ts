import { defineErrors } from '@holdfast/base';

export const gitErrors = defineErrors({
  GIT_FAILED: {
    kind: 'unavailable',
    means: 'git is missing, or refused a command. Nothing that was committed is affected.',
    hint: 'The message has what git said.',
  },
  GIT_REPOSITORY_REFUSED: {
    kind: 'conflict',
    means:
      'Working in this git repository would read or write files outside of it, or needs something that is not supported.',
    hint: 'The message names the file below .git that is in the way.',
  },
});
