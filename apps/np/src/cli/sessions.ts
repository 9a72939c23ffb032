import { type CommandContext, type CommandSpec, defineCommand, style, type Text } from '@holdfast/cli';
import { progressOf, type SessionSummary } from '../model/plan.ts';
import {
  archiveSession,
  listSessions,
  setGoal,
  showGoal,
  showPlan,
  startSession,
  undoChange,
  updateGoal,
} from '../operations/sessions.ts';
import { MEBIBYTE } from '@holdfast/base';
import { canonicalDirectory, readTextFile } from '../adapters/files.ts';
import { textReader } from './batches.ts';
import { command, sharedOptions } from './command.ts';
import { goalLines, printChange, printPlan } from './print.ts';

/** Names only the first steps, to keep the output short. */
const GUIDANCE: readonly Text[] = [
  '',
  'Set the goal. Name the issue and the files, so that anybody can take over:',
  '  np g s -t "title" -d "description"',
  'Then add the tasks, in the order in which to do them:',
  '  np t a -t "first" -d "details" -t "second" -d "details"',
];

const start = command(startSession, {
  name: 's',
  aliases: ['start'],
  without: ['session'],
  omit: ['directory'],
  flags: { plan: 'from' },
  complete: { plan: 'file' },
  prepare: async ({ plan: file, ...input }, { stdin }) => {
    if (typeof file !== 'string') return input;
    return { ...input, plan: file === '-' ? await stdin.text(MEBIBYTE) : readTextFile(file) };
  },
  examples: [
    { command: 'np s --from PLAN.md', summary: 'Start a session with the goal and tasks from a Markdown file' },
  ],
  print: ({ session, created, shadows, tasks_added: added }, page, { note }) => {
    if (added > 0) {
      page.line(
        `Session ${session.sid} is now active for ${session.dir_path}, with ${added} tasks ('np p' shows them).`,
      );
    } else if (created) page.lines([`Session ${session.sid} is now active for ${session.dir_path}.`, ...GUIDANCE]);
    else {
      page.line(
        `Session ${session.sid} is already active for this directory. There's already an active session for this ` +
          'directory; ask your operator whether they want to resume or archive it.',
      );
    }
    if (shadows === null) return;
    const hidden = `session ${shadows.sid} of ${shadows.dir_path} is hidden here until the new session is archived.`;
    note(style.yellow('note: '), hidden);
  },
});

const archive = command(archiveSession, {
  name: 'a',
  aliases: ['archive'],
  arguments: ['sid'],
  short: { reason: 'r' },
  complete: { sid: sharedOptions.session.complete },
  examples: [{ command: 'np a --undo', summary: 'Reactivate the session that was archived last in this directory' }],
  print: ({ session, changed }, page) => {
    const state = session.state === 'archived' ? 'archived' : `active for ${session.dir_path}`;
    page.line(`Session ${session.sid} is ${changed ? '' : 'already '}${state}.`);
  },
});

const undo = command(undoChange, {
  name: 'undo',
  description:
    'Undoes everything that the last command changed. Repeat np undo to undo earlier commands. The log shows each ' +
    'change and each undo.',
  print: printChange,
});

const RECENT_EVENTS = 5;

const resume = {
  ...command(showPlan, {
    name: 'r',
    aliases: ['resume'],
    fixed: { recent: RECENT_EVENTS },
    omit: ['status'],
    print: printPlan,
  }),
  summary: 'Show the plan and the latest changes, to resume after an interruption',
};

const plan = command(showPlan, {
  name: 'p',
  aliases: ['plan'],
  omit: ['recent'],
  short: { status: 's' },
  print: printPlan,
});

const monitor = defineCommand({
  name: 'm',
  aliases: ['monitor'],
  summary: 'Watch the plan live in a terminal',
  description: 'Shows the goal, tasks and log as they change. Press ? for the list of keys.',
  inherits: sharedOptions,
  load: async () => ({ run: (await import('./agent-commands.ts')).runMonitor }),
});

const status = defineCommand({
  name: 'status',
  summary: 'Show the goal, the task counts and the tasks in progress',
  without: ['actor'],
  options: {
    line: { type: 'boolean', summary: 'Print one short line for a shell prompt, or nothing if there is no plan' },
  },
  inherits: sharedOptions,
  load: async () => ({ run: (await import('./status.ts')).printStatus }),
});

const list = command(listSessions, {
  name: 'ls',
  aliases: ['sessions'],
  without: ['session', 'actor'],
  short: { limit: 'n' },
  prepare: ({ dir, ...input }) => (typeof dir === 'string' ? { ...input, dir: canonicalDirectory(dir) } : input),
  defaults: { limit: 20 },
  print: ({ data, next_cursor }, page, { note }) => {
    if (data.length === 0) page.line("No sessions. Use 'np s' to start one.");
    else page.table(data, COLUMNS);
    if (next_cursor !== null) note(`More sessions: add --cursor ${next_cursor}`);
  },
});

const COLUMNS = [
  { heading: 'SESSION', value: ({ session }: SessionSummary) => session.sid },
  { heading: 'STATE', value: ({ session }: SessionSummary) => session.state },
  { heading: 'DONE', value: ({ counts }: SessionSummary) => doneOf(counts), align: 'right' },
  { heading: 'CHANGED', value: ({ session }: SessionSummary) => session.last_updated_at.slice(0, 16) },
  { heading: 'DIRECTORY', value: ({ session }: SessionSummary) => session.dir_path, flexible: true },
  { heading: 'GOAL', value: ({ goal }: SessionSummary) => goal?.title ?? '', flexible: true },
] as const;

function doneOf(counts: SessionSummary['counts']): string {
  const { done, total } = progressOf(counts);
  return `${done}/${total}`;
}

export const sessionCommands: readonly CommandSpec[] = [start, archive, resume, plan, status, undo, monitor, list];

type Given = Readonly<Record<string, unknown>>;

/** Either text may come from standard input (`-`), but not both. */
async function withTexts(input: Given, { stdin }: Pick<CommandContext, 'stdin'>): Promise<Given> {
  const read = textReader(stdin);
  const texts: Record<string, string> = {};
  for (const name of ['title', 'description']) {
    const value = input[name];
    if (typeof value === 'string') texts[name] = await read(value);
  }
  return { ...input, ...texts };
}

const short = { title: 't', description: 'd', reason: 'r' } as const;

const set = command(setGoal, { name: 's', aliases: ['set'], short, prepare: withTexts, print: printChange });
const update = command(updateGoal, { name: 'u', aliases: ['update'], short, prepare: withTexts, print: printChange });

export const goalCommand: CommandSpec = {
  ...command(showGoal, {
    name: 'g',
    aliases: ['goal'],
    print: ({ goal }, page) => page.lines(goalLines(goal)),
  }),
  commands: [set, update],
};
