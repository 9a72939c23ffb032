import { readyTasks } from './ready.ts';
import type { Ringmaster } from './ringmaster.ts';
import { statusOf } from './status.ts';

const SHOWN = 10;

/** Instructions for an agent, with the current state. */
export function primer(
  rm: Ringmaster,
  { project }: { readonly project?: string | undefined },
): { readonly text: string } {
  const status = statusOf(rm, { project });
  const ready = readyTasks(rm, { project, limit: SHOWN });
  const text = [
    '# ringmaster',
    '',
    'Tasks and what they depend on are kept here. Take one, keep its token, report how it ended.',
    '',
    '- `ringmaster claim WORKER --json`: takes the best task and gives a token (exit code 3: nothing to do)',
    '- `ringmaster heartbeat --token N`: at least every few minutes; stop when it says so',
    '- `ringmaster report TASK --token N -s completed|failed|review|blocked [-r WHY] [-o LOG]`',
    '- `ringmaster task add TITLE --parent TASK --depends-on TASK`: work that you found',
    '- `ringmaster decide TASK QUESTION -o A -o B`: somebody has to decide; `ringmaster ask` if work can go on',
    '- `ringmaster task show TASK`, `ringmaster why TASK`, `ringmaster ready`',
    '',
    `${status.ready} ready, ${status.running} being worked on, ${status.open_decisions} decisions open.`,
    ...ready.map(({ id, priority, title }) => `- ${id} ${priority} ${title}`),
  ].join('\n');
  return { text };
}
