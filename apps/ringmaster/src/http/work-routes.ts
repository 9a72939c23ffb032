import { defineRoute, ok } from '@holdfast/http';
import { gitErrors } from '@holdfast/git';
import { z } from 'zod';

import { ringmasterErrors } from '../model/errors.ts';
import type { Workspaces } from '../service/workspaces.ts';
import { recordedPrompt } from '../service/recorded-prompt.ts';
import { taskDiff } from '../service/task-diff.ts';
import { requestWorkspace, readPermission } from './request-workspace.ts';
import { diffSchema, promptSchema } from './schemas.ts';

const errors = [ringmasterErrors.WORKSPACE_NOT_FOUND, ringmasterErrors.TASK_NOT_FOUND];

/** What a worker was told, and what it made of it. */
export function workRoutes(workspaces: Workspaces) {
  const prompt = defineRoute({
    method: 'GET',
    path: '/workspaces/{workspace}/tasks/{id}/prompt',
    permission: readPermission,
    summary: 'What a worker was told: in the last turn, or in one that is named',
    request: { query: z.object({ iteration: z.coerce.number().int().min(1).optional() }) },
    responses: { 200: promptSchema },
    errors: [...errors, ringmasterErrors.PROMPT_NOT_FOUND],
    handler: async (input) => {
      const { considered, ...rest } = recordedPrompt(await requestWorkspace(workspaces, input), {
        task: input.params.id,
        iteration: input.query.iteration,
      });
      const parts = considered.map(({ source, name, verdict, reason, tokens }) => ({
        source,
        name,
        verdict,
        reason,
        tokens,
      }));
      return ok({ ...rest, considered: parts });
    },
  });
  const diff = defineRoute({
    method: 'GET',
    path: '/workspaces/{workspace}/tasks/{id}/diff',
    permission: readPermission,
    summary: 'What the last attempt that left work has changed, or the present one so far',
    responses: { 200: diffSchema },
    errors: [...errors, ringmasterErrors.NOTHING_TO_MERGE, gitErrors.GIT_FAILED],
    handler: async (input) => {
      const { files, ...rest } = await taskDiff(await requestWorkspace(workspaces, input), { task: input.params.id });
      return ok({ ...rest, files: [...files] });
    },
  });
  return [prompt, diff] as const;
}
