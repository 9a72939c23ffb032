import type { FailureClass } from '../model/retry.ts';
import type { Priority } from '../model/task.ts';
import { addTask } from '../service/add-task.ts';
import { claimNext } from '../service/claim-next.ts';
import { heartbeat } from '../service/heartbeat.ts';
import { inquire } from '../service/inquire.ts';
import { report, type ReportStatus } from '../service/report.ts';
import type { Ringmaster } from '../service/ringmaster.ts';
import { showTask } from '../service/show-task.ts';
import { chosenProject } from '../store/projects.ts';
import { listReady } from '../store/ready.ts';

/** Seven tools and no more: every one costs the agent attention in every turn. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly required: readonly string[];
  readonly properties: Readonly<Record<string, object>>;
  readonly call: (rm: Ringmaster, input: Input) => unknown;
}

type Input = Readonly<Record<string, unknown>>;

const text = { type: 'string' };
const number = { type: 'integer', minimum: 1 };
const optionalText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const optionalTexts = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

export const tools: readonly Tool[] = [
  {
    name: 'ready',
    description: 'List work that may begin now, the best first.',
    required: [],
    properties: { project: text, limit: number },
    call: ({ store }, { project, limit }) => {
      const chosen = optionalText(project);
      if (chosen !== undefined) chosenProject(store.reader, chosen);
      return listReady(store.reader, { project: chosen, limit: Number(limit ?? 20), allTypes: false });
    },
  },
  {
    name: 'claim',
    description: 'Take the best task for a worker. The token it gives is needed for heartbeat and report.',
    required: ['worker'],
    properties: { worker: text, project: text },
    call: async (rm, { worker, project }) => {
      const claimed = await claimNext(rm, { worker: String(worker), project: optionalText(project) });
      return claimed === undefined ? null : { token: claimed.attempt.id, ...claimed };
    },
  },
  {
    name: 'heartbeat',
    description: 'Say that the task is still being worked on. Stop when the answer has cancel: true.',
    required: ['token'],
    properties: { token: number, progress: text },
    call: (rm, { token, progress }) => heartbeat(rm, { token: Number(token), progress: optionalText(progress) }),
  },
  {
    name: 'report',
    description: 'Say how a task ended.',
    required: ['task', 'token', 'status'],
    properties: {
      task: text,
      token: number,
      status: { enum: ['completed', 'failed', 'review', 'blocked', 'released'] },
      class: { enum: ['task', 'infrastructure', 'rate_limit', 'cancelled'] },
      reason: text,
    },
    call: (rm, input) =>
      report(rm, {
        token: Number(input['token']),
        task: String(input['task']),
        status: String(input['status']) as ReportStatus,
        failureClass: optionalText(input['class']) as FailureClass | undefined,
        reason: optionalText(input['reason']),
      }),
  },
  {
    name: 'show',
    description: 'Everything about a task.',
    required: ['task'],
    properties: { task: text },
    call: (rm, { task }) => showTask(rm, String(task)),
  },
  {
    name: 'add',
    description: 'Add a task that you found.',
    required: ['title'],
    properties: {
      title: text,
      description: text,
      parent: text,
      project: text,
      priority: { enum: ['P0', 'P1', 'P2', 'P3', 'P4'] },
      depends_on: { type: 'array', items: text },
    },
    call: (rm, input) =>
      addTask(rm, {
        title: String(input['title']),
        description: optionalText(input['description']),
        parent: optionalText(input['parent']),
        project: optionalText(input['project']),
        priority: optionalText(input['priority']) as Priority | undefined,
        dependsOn: optionalTexts(input['depends_on']),
      }),
  },
  {
    name: 'ask',
    description: 'Ask a person. A decision holds the task up until it is answered, a question does not.',
    required: ['task', 'question'],
    properties: { task: text, question: text, blocks: { type: 'boolean' }, options: { type: 'array', items: text } },
    call: (rm, { task, question, blocks, options }) =>
      inquire(rm, {
        about: String(task),
        question: String(question),
        kind: blocks === true ? 'decision' : 'question',
        options: optionalTexts(options),
      }),
  },
];
