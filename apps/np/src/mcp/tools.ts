import { type Tool, toolsFor } from '@holdfast/cli/mcp';
import { changeLines, type ChangeSummary } from '../model/brief.ts';
import { describeEvent, type Event } from '../model/event.ts';
import { isFinished, progressOf, SYMBOL_BY_STATUS, type Task } from '../model/plan.ts';
import { archiveSession, readLog, setGoal, showPlan, startSession, updateGoal } from '../operations/sessions.ts';
import { addTasks, claimTask, deleteTask, moveTask, updateTasks } from '../operations/tasks.ts';
import type { SessionTarget } from '../service/np.ts';
import type { ShownPlan } from '../service/plan.ts';

/** The tools of `np mcp`. Their descriptions are short, because every conversation includes them. */
export function tools(target: SessionTarget): readonly Tool[] {
  const tool = toolsFor({ app: target, name: 'agent', program: 'np mcp' });
  const all = [
    tool(startSession, {
      name: 'start_session',
      description: 'Start a session for this directory, unless it has one.',
      text: ({ session, created }) =>
        created
          ? `Started session ${session.sid}. Set the goal, then add tasks.`
          : `Already active: session ${session.sid}. Ask your operator whether to resume or archive it.`,
    }),
    tool(showPlan, { name: 'show_plan', omit: ['recent'], text: planText }),
    tool(setGoal, {
      name: 'set_goal',
      description: 'Set the goal. Name the issue and the files.',
      omit: ['reason', 'plan'],
      text: changeText,
    }),
    tool(updateGoal, { name: 'update_goal', omit: ['plan'], text: changeText }),
    tool(addTasks, {
      name: 'add_tasks',
      description: 'Add tasks, listed in the order in which to do them. Adding the same task again changes nothing.',
      omit: ['reason', 'plan'],
      text: changeText,
    }),
    tool(updateTasks, {
      name: 'update_tasks',
      description: 'Change tasks, all or none. Rewording, failed and cancelled need a reason.',
      omit: ['plan'],
      text: changeText,
    }),
    tool(moveTask, { name: 'move_task', omit: ['reason', 'plan'], text: changeText }),
    tool(deleteTask, { name: 'delete_task', omit: ['plan'], text: changeText }),
    tool(claimTask, { name: 'claim_task', omit: ['reason', 'plan'], text: changeText }),
    tool(readLog, {
      name: 'read_log',
      description: 'Show what happened and why, newest events first.',
      omit: ['cursor'],
      fixed: { order: 'newest' },
      text: ({ data }) => data.map(eventText).join('\n'),
    }),
    tool(archiveSession, {
      name: 'archive_session',
      description: 'Archive the plan when the goal is reached and your operator agrees. The plan is kept.',
      omit: ['sid'],
      text: ({ session }) => `Session ${session.sid} is archived.`,
    }),
  ];
  return all.map((each) => ({ ...each, inputSchema: withoutDescriptions(each.inputSchema) }));
}

/** Shortens the schemas: field names are clear enough, and descriptions would double the length of the tool list. */
function withoutDescriptions(inputSchema: Tool['inputSchema']): Tool['inputSchema'] {
  return JSON.parse(JSON.stringify(inputSchema), (key, value: unknown) => {
    const isLeftOut = key === 'additionalProperties' || (key === 'description' && typeof value === 'string');
    return isLeftOut ? undefined : value;
  }) as Tool['inputSchema'];
}

function changeText(answer: ChangeSummary): string {
  return changeLines(answer).join('\n');
}

function planText({ goal, tasks, counts, session }: ShownPlan): string {
  const { done, total } = progressOf(counts);
  const head = goal === null ? 'No goal set yet.' : `Goal: ${goal.title}\n${goal.description}`.trimEnd();
  const list = tasks.length === 0 ? 'No tasks.' : tasks.map(taskText).join('\n');
  return `${head}\n\n${list}\n\n${done} of ${total} done, session ${session.sid} (${session.state})`;
}

function taskText({ id, title, description, status, actor, reason }: Task): string {
  const claimed = actor === undefined ? '' : ` (claimed by ${actor})`;
  const why = reason === undefined ? '' : `\n  because ${reason}`;
  const details = description === '' || isFinished(status) ? '' : `\n  ${description.replaceAll('\n', '\n  ')}`;
  return `${SYMBOL_BY_STATUS[status]} ${id} ${title}${claimed}${why}${details}`;
}

function eventText(event: Event): string {
  const reason = event.reason === null ? '' : ` (because ${event.reason})`;
  return `${event.seq} ${event.at} ${describeEvent(event)}${reason}`;
}
