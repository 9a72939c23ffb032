import type { Tool } from '@holdfast/cli/mcp';
import { archiveSession } from '../service/archive-session.ts';
import type { Np, Where } from '../service/np.ts';
import { setGoal } from '../service/set-goal.ts';
import { planAfterChange, showPlan } from '../service/show-plan.ts';
import { startSession } from '../service/start-session.ts';
import { updateGoal } from '../service/update-goal.ts';
import { optionalText, requiredText } from './input.ts';
import { schema, text } from './schema.ts';
import { changedText, planText } from './view.ts';

export interface Place {
  /** The session that is meant. */
  readonly where: Where;
  /** Where one is started. */
  readonly directory: string;
}

/** Beginning, goal and end of a plan. */
export function sessionTools(np: Np, { where, directory }: Place): readonly Tool[] {
  const plan = async (of: Where): Promise<string> => planText(await showPlan(np, of));
  return [
    {
      name: 'start_session',
      description: 'Start the plan of this directory. Harmless if there is one.',
      inputSchema: schema({}),
      call: async () => {
        if ('sid' in where) return `Session ${where.sid} was named when this was set up.\n\n${await plan(where)}`;
        const { session, isNew } = await startSession(np, { directory, cmd: 'np mcp start_session' });
        const said = isNew ? 'Started' : 'Already active: ask your operator whether to resume or archive it. Session';
        return `${said} ${session.sid}\n\n${changedText(await planAfterChange(np, { sid: session.sid }))}`;
      },
    },
    {
      name: 'set_goal',
      description: 'Set the goal; with a reason, reword the one there is. Name the issue and the files.',
      inputSchema: schema({ title: text, description: text, reason: text }, ['title']),
      call: async (input) => {
        const title = requiredText(input, 'title');
        const description = optionalText(input, 'description');
        const reason = optionalText(input, 'reason');
        const { goal, session } = await showPlan(np, where);
        const call = { where: { sid: session.sid }, cmd: 'np mcp set_goal' };
        if (goal !== undefined && reason !== undefined) await updateGoal(np, { ...call, title, description, reason });
        else await setGoal(np, { ...call, title, description: description ?? '', reason });
        return changedText(await planAfterChange(np, call.where));
      },
    },
    {
      name: 'archive_session',
      description: 'Put the plan away when the goal is reached and your operator agrees.',
      inputSchema: schema({ reason: text }),
      call: async (input) => {
        const call = { where, cmd: 'np mcp archive_session', reason: optionalText(input, 'reason') };
        const { session } = await archiveSession(np, call);
        return `Session ${session.sid} is archived.`;
      },
    },
  ];
}
