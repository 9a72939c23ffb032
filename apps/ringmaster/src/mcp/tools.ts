import { defineTool, type Tool } from '@holdfast/cli/mcp';
import { z } from 'zod';

import { failureClasses, reportStatuses } from '../model/attempt.ts';
import { priorities } from '../model/task.ts';
import { addTask } from '../service/add-task.ts';
import { claimNext } from '../service/claim.ts';
import { heartbeat } from '../service/heartbeat.ts';
import { inquire } from '../service/inquiries.ts';
import { report } from '../service/report.ts';
import type { Ringmaster } from '../service/ringmaster.ts';
import { readyTasks } from '../service/ready.ts';
import { showTask } from '../service/show-task.ts';

const text = z.string();
const number = z.int().min(1);

/** Seven tools and no more: every one costs the agent attention in every turn. */
export function tools(rm: Ringmaster): readonly Tool[] {
  return [...queueTools(rm), ...graphTools(rm)];
}

function queueTools(rm: Ringmaster): readonly Tool[] {
  return [
    defineTool({
      name: 'ready',
      description: 'List work that may begin now, the best first.',
      input: z.strictObject({ project: text.optional(), limit: number.default(20) }),
      call: (input) => readyTasks(rm, input),
    }),
    defineTool({
      name: 'claim',
      description: 'Take the best task for a worker. The token it gives is needed for heartbeat and report.',
      input: z.strictObject({ worker: text, project: text.optional() }),
      call: async (input) => {
        const claimed = await claimNext(rm, input);
        return claimed === undefined ? null : { token: claimed.attempt.id, ...claimed };
      },
    }),
    defineTool({
      name: 'heartbeat',
      description: 'Say that the task is still being worked on. Stop when the answer has cancel: true.',
      input: z.strictObject({ token: number, progress: text.optional() }),
      call: (input) => heartbeat(rm, input),
    }),
    defineTool({
      name: 'report',
      description: 'Say how a task ended.',
      input: z.strictObject({
        task: text,
        token: number,
        status: z.enum(reportStatuses),
        class: z.enum(failureClasses).optional(),
        reason: text.optional(),
      }),
      call: ({ class: failureClass, ...input }) => report(rm, { ...input, failure_class: failureClass }),
    }),
  ];
}

function graphTools(rm: Ringmaster): readonly Tool[] {
  return [
    defineTool({
      name: 'show',
      description: 'Everything about a task.',
      input: z.strictObject({ task: text }),
      call: ({ task }) => showTask(rm, task),
    }),
    defineTool({
      name: 'add',
      description: 'Add a task that you found.',
      input: z.strictObject({
        title: text,
        description: text.optional(),
        parent: text.optional(),
        project: text.optional(),
        priority: z.enum(priorities).optional(),
        depends_on: z.array(text).optional(),
      }),
      call: ({ depends_on: dependsOn = [], ...input }) => addTask(rm, { ...input, dependsOn }),
    }),
    defineTool({
      name: 'ask',
      description: 'Ask a person. A decision holds the task up until it is answered, a question does not.',
      input: z.strictObject({
        task: text,
        question: text,
        blocks: z.boolean().default(false),
        options: z.array(text).default([]),
      }),
      call: ({ task, question, blocks, options }) =>
        inquire(rm, { task, question, kind: blocks ? 'decision' : 'question', options }),
    }),
  ];
}
