import { defineRoute, ok } from '@holdfast/http';
import { z } from 'zod';

import { ringmasterErrors } from '../model/errors.ts';
import { logTails } from '../service/logs.ts';
import { showQueue } from '../service/ready.ts';
import type { Workspaces } from '../service/workspaces.ts';
import { allWorkers, pauseWorker } from '../service/workers.ts';
import { requestWorkspace, readPermission, writePermission } from './request-workspace.ts';
import { workerSchema } from './schemas.ts';

const errors = [ringmasterErrors.WORKSPACE_NOT_FOUND, ringmasterErrors.WORKER_NOT_FOUND];
const listSchema = z.object({ data: z.array(workerSchema) });

export function workerRoutes(workspaces: Workspaces) {
  const list = defineRoute({
    method: 'GET',
    path: '/workspaces/{workspace}/workers',
    permission: readPermission,
    summary: 'Workers, with what they did',
    responses: { 200: listSchema },
    errors,
    handler: async (input) => ok({ data: [...allWorkers(await requestWorkspace(workspaces, input))] }),
  });
  const online = defineRoute({
    method: 'PUT',
    path: '/workspaces/{workspace}/workers/{id}/paused',
    permission: writePermission,
    summary: 'Whether a worker gets anything new; what it is at it finishes',
    request: { body: z.strictObject({ paused: z.boolean() }) },
    responses: { 200: listSchema },
    errors,
    handler: async (input) => {
      const rm = await requestWorkspace(workspaces, input);
      await pauseWorker(rm, { worker: input.params.id, ...input.body });
      return ok({ data: [...allWorkers(rm)] });
    },
  });
  const queue = defineRoute({
    method: 'GET',
    path: '/workspaces/{workspace}/queue',
    permission: readPermission,
    summary: 'What is being worked on, then what may begin, the best first',
    responses: {
      200: z.object({
        data: z.array(
          z.object({
            task_id: z.string(),
            title: z.string(),
            priority_score: z.number(),
            ready_at: z.string(),
            assigned_at: z.string().nullable(),
            worker_id: z.string().nullable(),
          }),
        ),
      }),
    },
    errors,
    handler: async (input) => ok({ data: [...showQueue(await requestWorkspace(workspaces, input))] }),
  });
  const output = defineRoute({
    method: 'GET',
    path: '/workspaces/{workspace}/output',
    permission: readPermission,
    summary: 'The last lines that each running worker printed',
    request: { query: z.object({ lines: z.coerce.number().int().min(1).max(20).default(3) }) },
    responses: { 200: z.object({ data: z.array(z.object({ task_id: z.string(), lines: z.array(z.string()) })) }) },
    errors: [ringmasterErrors.WORKSPACE_NOT_FOUND],
    handler: async (input) => {
      const tails = logTails(await requestWorkspace(workspaces, input), input.query);
      return ok({ data: tails.map(({ task_id, lines }) => ({ task_id, lines: [...lines] })) });
    },
  });
  return [list, online, queue, output] as const;
}
