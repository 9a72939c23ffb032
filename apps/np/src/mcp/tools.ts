import { VERSION } from '@holdfast/base';
import { type ServerInfo, type Tool, type ToolCaller, toolsFor } from '@holdfast/cli/mcp';
import { changeLines, type ChangeSummary, skippedLines } from '../model/brief.ts';
import { describeEvent, type Event } from '../model/event.ts';
import { MCP_INSTRUCTIONS } from '../model/guidance.ts';
import {
  afterLabel,
  claimLabel,
  isFinished,
  progressOf,
  SYMBOL_BY_STATUS,
  type Task,
  type TaskNote,
} from '../model/plan.ts';
import { archiveSession, readLog, setGoal, showPlan, startSession, updateGoal } from '../operations/sessions.ts';
import { addTasks, claimTask, deleteTask, moveTask, releaseTask, updateTasks } from '../operations/tasks.ts';
import type { SessionTarget } from '../service/np.ts';
import type { ShownPlan } from '../service/plan.ts';

export const server: ServerInfo = { name: 'np', version: VERSION, instructions: MCP_INSTRUCTIONS };

/**
 * Returns the tools of `np mcp`. Their descriptions are short, because every conversation includes them. `skipped`
 * holds the keys of damaged values that reads leave out; each answer names the damaged values that it lacks.
 */
export function tools(target: SessionTarget, caller: ToolCaller, skipped = new Set<string>()): readonly Tool[] {
  const tool = toolsFor({ app: target, caller, program: 'np mcp' });
  return [...planTools(tool), ...taskTools(tool), ...sessionTools(tool)].map((each) => ({
    ...each,
    inputSchema: withoutDetails(each.inputSchema),
    call: async (input, signal) => {
      skipped.clear();
      return [await each.call(input, signal), ...skippedLines(skipped)].join('\n');
    },
  }));
}

type Bind = ReturnType<typeof toolsFor<SessionTarget>>;

function planTools(tool: Bind): readonly Tool[] {
  return [
    tool(startSession, {
      name: 'start_session',
      description: 'Start a session for this directory, unless it has one.',
      omit: ['directory', 'elsewhere', 'actor', 'plan'],
      text: ({ session, created }) =>
        created
          ? `Started session ${session.sid}. Set the goal, then add tasks.`
          : `Already active: session ${session.sid}. Ask your operator whether to resume or archive it.`,
    }),
    tool(showPlan, { name: 'show_plan', description: 'Show the plan.', omit: ['recent'], text: planText }),
    tool(setGoal, {
      name: 'set_goal',
      description: 'Set the goal. Name the issue and the files.',
      omit: ['actor', 'reason', 'plan'],
      text: changeText,
    }),
    tool(updateGoal, { name: 'update_goal', omit: ['actor', 'plan'], text: changeText }),
  ];
}

function taskTools(tool: Bind): readonly Tool[] {
  return [
    tool(addTasks, {
      name: 'add_tasks',
      description: 'Add tasks in the order to do them; repeats are ignored.',
      omit: ['actor', 'reason', 'plan'],
      text: changeText,
    }),
    tool(updateTasks, {
      name: 'update_tasks',
      description: 'Change tasks or add notes, all or none. Rewording, failed and cancelled need a reason.',
      omit: ['plan'],
      text: changeText,
    }),
    tool(moveTask, {
      name: 'move_task',
      description: 'Move a task in the plan.',
      omit: ['before', 'actor', 'reason', 'plan'],
      text: changeText,
    }),
    tool(deleteTask, {
      name: 'delete_task',
      description: 'Delete a task; needs a reason.',
      omit: ['actor', 'force', 'plan'],
      text: changeText,
    }),
    tool(claimTask, {
      name: 'claim_task',
      description: 'Claim a task before you work on it. for: 30m; takeover needs a reason.',
      omit: ['plan'],
      text: changeText,
    }),
    tool(releaseTask, {
      name: 'release_task',
      description: 'Give up your claim.',
      omit: ['reason', 'force', 'plan'],
      text: changeText,
    }),
  ];
}

function sessionTools(tool: Bind): readonly Tool[] {
  return [
    tool(readLog, {
      name: 'read_log',
      description: 'Show what happened and why, newest events first.',
      omit: ['cursor'],
      fixed: { order: 'newest' },
      text: ({ data }) => data.map(eventText).join('\n'),
    }),
    tool(archiveSession, {
      name: 'archive_session',
      description: 'Archive the plan when the goal is reached and your operator agrees; it is kept.',
      omit: ['sid', 'undo', 'actor'],
      text: ({ session }) => `Session ${session.sid} is archived.`,
    }),
  ];
}

const LEFT_OUT: ReadonlySet<string> = new Set(['additionalProperties', 'minimum', 'maximum', 'maxItems']);

/** Removes descriptions and bounds from the schemas, because they would double the length of the tool list. */
function withoutDetails(inputSchema: Tool['inputSchema']): Tool['inputSchema'] {
  return JSON.parse(JSON.stringify(inputSchema), (key, value: unknown) => {
    const isDescription = key === 'description' && typeof value === 'string';
    return isDescription || LEFT_OUT.has(key) ? undefined : value;
  }) as Tool['inputSchema'];
}

function changeText(answer: ChangeSummary): string {
  return changeLines(answer).join('\n');
}

function planText({ goal, tasks, notes, counts, session }: ShownPlan): string {
  const { done, total } = progressOf(counts);
  const head = goal === null ? 'No goal set yet.' : `Goal: ${goal.title}\n${goal.description}`.trimEnd();
  const list = tasks.length === 0 ? 'No tasks.' : tasks.map((task) => taskText(task, notes)).join('\n');
  const foot = `${total === 0 ? 'Session' : `${done} of ${total} done, session`} ${session.sid} (${session.state})`;
  return `${head}\n\n${list}\n\n${foot}`;
}

function taskText(task: Task, notes: readonly TaskNote[]): string {
  const { id, title, description, status, reason } = task;
  const claim = claimLabel(task);
  const claimed = claim === '' ? '' : ` (${claim})`;
  const why = reason === undefined ? '' : `\n  because ${reason}`;
  const details = description === '' || isFinished(status) ? '' : `\n  ${description.replaceAll('\n', '\n  ')}`;
  const order = task.after === undefined ? '' : ` (${afterLabel(task)})`;
  const own = notes.filter((note) => note.task_id === id && !isFinished(status));
  const noted = own.map(({ text }) => `\n  note: ${text.replaceAll('\n', '\n  ')}`).join('');
  return `${SYMBOL_BY_STATUS[status]} ${id} ${title}${claimed}${order}${why}${details}${noted}`;
}

function eventText(event: Event): string {
  const reason = event.reason === null ? '' : ` (because ${event.reason})`;
  return `${event.seq} ${event.at} ${describeEvent(event)}${reason}`;
}
