import { defineRoute, ok } from '@holdfast/http';
import { z } from 'zod';

import { ringmasterErrors } from '../model/errors.ts';
import { allInquiries, answerInquiry } from '../service/inquiries.ts';
import type { Workspaces } from '../service/workspaces.ts';
import { requestWorkspace, readPermission, writePermission } from './request-workspace.ts';
import { inquirySchema, taskSchema } from './schemas.ts';

const errors = [ringmasterErrors.WORKSPACE_NOT_FOUND];

export function inquiryRoutes(workspaces: Workspaces) {
  const list = defineRoute({
    method: 'GET',
    path: '/workspaces/{workspace}/inquiries',
    permission: readPermission,
    summary: 'Decisions and questions, those that wait for an answer unless all are asked for',
    request: { query: z.object({ all: z.stringbool().default(false) }) },
    responses: { 200: z.object({ data: z.array(inquirySchema) }) },
    errors,
    handler: async (input) => {
      const inquiries = allInquiries(await requestWorkspace(workspaces, input), input.query);
      return ok({ data: inquiries.map((inquiry) => ({ ...inquiry, options: [...inquiry.options] })) });
    },
  });
  const answer = defineRoute({
    method: 'POST',
    path: '/workspaces/{workspace}/inquiries/{id}/answer',
    permission: writePermission,
    summary: 'Answers a decision or a question; what waited for it goes on',
    request: { body: z.strictObject({ answer: z.string().min(1).max(10_000) }) },
    responses: { 200: taskSchema },
    errors: [...errors, ringmasterErrors.NOT_AN_INQUIRY],
    handler: async (input) =>
      ok(await answerInquiry(await requestWorkspace(workspaces, input), { ...input.body, inquiry: input.params.id })),
  });
  return [list, answer] as const;
}
