/** Commands that are not operations: they stream, prepare a directory, or read files. */
import { defineCommand, setupArguments, setupOptions } from '@holdfast/cli';

import { readLog } from '../operations/tasks.ts';
import { completeTask, shared } from './command.ts';

const taskArgument = { name: 'task', summary: 'Task id', complete: completeTask } as const;

export const init = defineCommand({
  name: 'init',
  summary: 'Initialise this directory: create .ringmaster, ringmaster.toml and a first project',
  description: 'Safe to repeat: existing files are kept.',
  inherits: shared,
  options: { name: { type: 'string', summary: 'Name of the project; default: the name of the directory', short: 'n' } },
  examples: [{ command: 'ringmaster init --name "My service"', summary: 'Choose the name of the project' }],
  load: async () => ({ run: (await import('./setup.ts')).init }),
});

export const run = defineCommand({
  name: 'run',
  summary: 'Run the workers defined in ringmaster.toml on ready tasks',
  description:
    'In a git repository, each attempt gets its own worktree and branch. After the first Ctrl-C, running workers finish and ' +
    'nothing new starts; the second Ctrl-C stops at once. Nothing is lost: the next run continues where this one stopped.',
  inherits: shared,
  options: {
    slots: { type: 'integer', summary: 'Maximum number of workers at once', value: 'count', min: 1 },
    once: { type: 'boolean', summary: 'Exit when no task can start; exit code 1 if tasks are unfinished' },
    server: {
      type: 'string',
      summary: "Work on this server's tasks; the token is in HOLDFAST_TOKEN",
      value: 'url',
      env: 'RINGMASTER_SERVER',
    },
    workspace: { type: 'string', summary: 'Id of the workspace on the server', value: 'id' },
    dryRun: { type: 'boolean', summary: 'Show what would run, without running it' },
    check: {
      type: 'boolean',
      summary: 'Test each worker in a temporary repository; exit code 1 if any worker fails',
    },
  },
  examples: [
    { command: 'ringmaster run --once --slots 2', summary: 'Complete the ready tasks, two at a time' },
    { command: 'ringmaster run --check', summary: 'Find workers that are missing, logged out or not allowed to write' },
    { command: 'ringmaster run --dry-run', summary: 'Show the commands without running them' },
    {
      command: 'ringmaster run --server https://holdfast.example --workspace 3f9a0c71b2de',
      summary: "Work on a server's tasks with this machine's workers",
    },
  ],
  load: async () => ({ run: (await import('./streams.ts')).run }),
});

export const attach = defineCommand({
  name: 'attach',
  summary: "Take over a task: continue its worker's session in your terminal, then return the task to ringmaster",
  description:
    'For a running task, stops the worker and opens its session in your terminal (in tmux, if it is installed). When ' +
    'you leave the session, the supervisor resumes the task; until then, no worker can take it. For a task that is ' +
    'ready but not running, creates a worktree and opens a session there. When you leave, the task becomes ready ' +
    'again, with your changes on its branch.',
  inherits: shared,
  arguments: [taskArgument],
  load: async () => ({ run: (await import('./streams.ts')).attach }),
});

export const logs = {
  ...defineCommand({
    name: 'logs',
    summary: readLog.summary,
    description: 'With --follow, also shows new output until the attempt ends.',
    inherits: shared,
    arguments: [taskArgument],
    options: {
      follow: { type: 'boolean', summary: 'Show new output as it is printed', short: 'f' },
      attempt: { type: 'integer', summary: 'Number of the attempt', value: 'number', min: 1 },
    },
    load: async () => ({ run: (await import('./streams.ts')).logs }),
  }),
  operation: readLog,
};

export const chat = defineCommand({
  name: 'chat',
  summary: 'Show or add messages about a project or a task',
  inherits: shared,
  arguments: [{ name: 'text', summary: 'Message to add; - reads standard input', optional: true }],
  options: {
    task: { type: 'string', summary: 'Task that the message is about', value: 'task', complete: completeTask },
    role: {
      type: 'string',
      summary: 'Author of the message',
      choices: ['user', 'assistant', 'system'],
      default: 'user',
    },
    media: { type: 'string', summary: 'Audio or image file to attach', value: 'file', complete: 'file' },
    limit: { type: 'integer', summary: 'Number of messages to show', short: 'n', default: 50, min: 1 },
  },
  load: async () => ({ run: (await import('./setup.ts')).chat }),
});

const GUIDANCE = {
  program: 'ringmaster',
  primeCommand: 'ringmaster prime',
  markdown: `## Tasks with ringmaster

The tasks of this project are in \`ringmaster\`. Run \`ringmaster prime\` when you begin work and after every
compaction; it explains the commands and lists tasks that can start. Claim a task before you work on it.
`,
} as const;

export const setup = defineCommand({
  name: 'setup',
  summary: 'Connect a coding agent to ringmaster: add the MCP server and instructions to its files',
  description:
    "Adds entries to the agent's files in this directory; the rest of these files stays unchanged. " +
    'Windsurf lists its MCP servers in a file in your home directory, so setup for Windsurf changes that file too.',
  inherits: shared,
  without: ['project', 'actor'],
  arguments: setupArguments,
  options: setupOptions,
  load: async () => {
    const { setUpAgent } = await import('@holdfast/cli/setup');
    return { run: (context) => setUpAgent(context, GUIDANCE) };
  },
});

export const mcp = defineCommand({
  name: 'mcp',
  summary: 'Serve the queue to an agent over the Model Context Protocol on standard input and output',
  inherits: shared,
  load: async () => ({ run: (await import('./setup.ts')).mcp }),
});
