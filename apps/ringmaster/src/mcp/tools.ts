import { VERSION } from '@holdfast/base';
import { type ServerInfo, type Tool, type ToolCaller, toolsFor } from '@holdfast/cli/mcp';

import { readyTasks } from '../operations/graph.ts';
import { askPerson } from '../operations/inquiries.ts';
import { claimTask, heartbeat, reportTask } from '../operations/queue.ts';
import { addTask, showTask } from '../operations/tasks.ts';
import type { Ringmaster } from '../service/ringmaster.ts';

export const server: ServerInfo = {
  name: 'ringmaster',
  version: VERSION,
  instructions:
    'The task queue of this project. Claim a task, work only on that task, send heartbeats with its token, and report ' +
    'the result. Add tasks for new work that you discover. Ask a person for decisions that only a person can make. If ' +
    'you pass your token, the decision ends your claim, and the answer makes the task ready again.',
};

/** Only seven tools, because their descriptions take up part of the agent's context in every turn. */
export function tools(rm: Ringmaster, caller: ToolCaller): readonly Tool[] {
  const tool = toolsFor({ app: rm, caller, program: 'ringmaster mcp' });
  return [
    tool(readyTasks, { name: 'ready', omit: ['all_types'] }),
    tool(claimTask, {
      name: 'claim',
      description: 'Claim the best task for a worker. heartbeat and report need the token in the reply.',
      omit: ['pid', 'lease_seconds'],
    }),
    tool(heartbeat, { name: 'heartbeat', omit: ['lease_seconds'] }),
    tool(reportTask, { name: 'report', omit: ['output'] }),
    tool(showTask, { name: 'show' }),
    tool(addTask, {
      name: 'add',
      description: 'Add a task for work that you discovered.',
      omit: ['id', 'draft', 'worker_args'],
    }),
    tool(askPerson, { name: 'ask', omit: ['urgency', 'default_answer'] }),
  ];
}
