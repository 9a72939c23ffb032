import { choice, flag, integer, nullable, object, optional, pageOf, text, type ValueOf } from '@holdfast/operation';

import { ringmasterErrors } from '../model/errors.ts';
import { defineOperation, listed, maybeText, NOT_A_TOOL, taskId, WRITE } from './fields.ts';

const pullRequest = object({
  task_id: text(),
  repository: text('GitHub repository: HOST/OWNER/REPO'),
  branch: text('Branch on the remote'),
  number: nullable(integer()),
  url: maybeText,
  state: choice(['pushed', 'open', 'closed', 'merged']),
});
export type PullRequest = ValueOf<typeof pullRequest>;

export const publishTask = defineOperation({
  name: 'task.publish',
  summary: "Push a task's branch to the remote origin, and open a pull request for it with gh",
  description:
    'Repeat the operation to push newer work to the same pull request. The operation also reads review ' +
    'comments, which the next prompt includes, and completes the task if the pull request is merged.',
  permission: WRITE,
  input: {
    task: optional(taskId('Task to publish')),
    sync: flag('Only read the reviews and merges of all pull requests; publish nothing'),
  },
  output: pageOf(pullRequest),
  errors: [
    ringmasterErrors.TASK_NOT_FOUND,
    ringmasterErrors.TASK_RUNNING,
    ringmasterErrors.NOTHING_TO_MERGE,
    ringmasterErrors.REMOTE_NOT_FOUND,
    ringmasterErrors.GITHUB_FAILED,
    ringmasterErrors.TEXT_INVALID,
  ],
  absent: { http: "Uses the operator's GitHub login", mcp: NOT_A_TOOL },
  run: listed(async () => (await import('../service/pull-requests.ts')).publish),
});
