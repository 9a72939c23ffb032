import { type Tool, toolsFor } from '@holdfast/cli/mcp';

import { readyTasks } from '../operations/graph.ts';
import { askPerson } from '../operations/inquiries.ts';
import { claimTask, heartbeat, reportTask } from '../operations/queue.ts';
import { addTask, showTask } from '../operations/tasks.ts';
import type { Ringmaster } from '../service/ringmaster.ts';

/** Only seven tools, because their descriptions take up part of the agent's context in every turn. */
export function tools(rm: Ringmaster): readonly Tool[] {
  const tool = toolsFor({ app: rm, name: 'agent', program: 'ringmaster mcp' });
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
    tool(addTask, { name: 'add', description: 'Add a task for work that you discovered.', omit: ['id', 'draft'] }),
    tool(askPerson, { name: 'ask', omit: ['urgency', 'default_answer'] }),
  ];
}
