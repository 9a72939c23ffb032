import { defineRoute, ok } from '@holdfast/http';
import { z } from 'zod';

import { ringmasterErrors } from '../model/errors.ts';
import { failureClasses, reportStatuses } from '../model/attempt.ts';
import { claimNext } from '../service/claim.ts';
import { heartbeat } from '../service/heartbeat.ts';
import type { Workspaces } from '../service/workspaces.ts';
import { report } from '../service/report.ts';
import { requestWorkspace, writePermission } from './request-workspace.ts';
import { attemptSchema, taskSchema } from './schemas.ts';

const errors = [ringmasterErrors.WORKSPACE_NOT_FOUND];
const tokenErrors = [...errors, ringmasterErrors.ATTEMPT_NOT_FOUND, ringmasterErrors.STALE_TOKEN];
const leaseSeconds = z.int().min(1).max(86_400).optional();
const OUTPUT_MAX = 256 * 1024;

/** For workers on other machines: they pull, and nothing has to reach them. */
export function pullRoutes(workspaces: Workspaces) {
  const claim = defineRoute({
    method: 'POST',
    path: '/workspaces/{workspace}/claim',
    permission: writePermission,
    summary: 'Takes the best task this worker may do; null when there is none',
    request: {
      body: z.strictObject({ worker: z.string(), project: z.string().optional(), lease_seconds: leaseSeconds }),
    },
    responses: { 200: z.object({ claimed: z.object({ task: taskSchema, attempt: attemptSchema }).nullable() }) },
    errors: [...errors, ringmasterErrors.WORKER_NOT_FOUND, ringmasterErrors.WORKER_UNAVAILABLE],
    idempotent: true,
    handler: async (input) => {
      return ok({ claimed: (await claimNext(await requestWorkspace(workspaces, input), input.body)) ?? null });
    },
  });
  const beat = defineRoute({
    method: 'POST',
    path: '/workspaces/{workspace}/heartbeat',
    permission: writePermission,
    summary: 'Keeps a task, and learns whether somebody wants it stopped',
    request: {
      body: z.strictObject({
        token: z.int(),
        progress: z.string().max(10_000).optional(),
        lease_seconds: leaseSeconds,
      }),
    },
    responses: {
      200: z.object({ task_id: z.string(), lease_expires_at: z.string(), cancel: z.boolean() }),
    },
    errors: tokenErrors,
    handler: async (input) => ok(await heartbeat(await requestWorkspace(workspaces, input), input.body)),
  });
  return [claim, beat, reportRoute(workspaces)] as const;
}

function reportRoute(workspaces: Workspaces) {
  return defineRoute({
    method: 'POST',
    path: '/workspaces/{workspace}/report',
    permission: writePermission,
    summary: 'Ends an attempt; a token that holds nothing any more changes nothing',
    request: {
      body: z.strictObject({
        token: z.int(),
        status: z.enum(reportStatuses),
        failure_class: z.enum(failureClasses).optional(),
        reason: z.string().max(10_000).optional(),
        output: z.string().max(OUTPUT_MAX).optional(),
      }),
    },
    responses: { 200: taskSchema },
    errors: tokenErrors,
    handler: async (input) => ok(await report(await requestWorkspace(workspaces, input), input.body)),
  });
}
