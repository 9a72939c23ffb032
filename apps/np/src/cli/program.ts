import { VERSION } from '@holdfast/base';
import { defineProgram } from '@holdfast/cli';
import { agentCommands } from './agents.ts';
import { dataCommands } from './data.ts';
import { goalCommand, sessionCommands } from './sessions.ts';
import { searchCommands, taskCommand } from './tasks.ts';
import { sharedOptions } from './command.ts';

export const program = defineProgram({
  name: 'np',
  version: VERSION,
  summary: 'Keep a plan for each directory: agents update the plan, people watch it live',
  description:
    'A session belongs to a directory and everything below it. It has a goal, tasks with a status, and a log of every ' +
    'change with its reason. Each change is one durable transaction. A command that changes the plan prints what ' +
    "changed, the task counts and the next tasks. 'np p' shows the whole plan.",
  sharedOptions,
  examples: [
    { command: 'np s', summary: 'Start a session here' },
    { command: 'np g s -t "Fix #12" -d "src/login.ts drops the session"', summary: 'Set the goal of the session' },
    { command: 'np t a -t "Reproduce" -d "with a test" -t "Fix" -d ""', summary: 'Add two tasks in one transaction' },
    {
      command: 'np t u -i a1b2c3 -s completed -i d4e5f6 -s in_progress',
      summary: 'Complete a task and start the next one',
    },
    { command: 'np m', summary: 'Watch the plan live in another terminal' },
  ],
  commands: [...sessionCommands, goalCommand, taskCommand, ...searchCommands, ...dataCommands, ...agentCommands],
});
