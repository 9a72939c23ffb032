import { defineCommand, defineProgram } from '@holdfast/cli';
import { agentCommands } from './spec/agents.ts';
import { dataCommands } from './spec/data.ts';
import { goalCommand } from './spec/goal.ts';
import { taskCommand } from './spec/task.ts';
import { sharedOptions } from './spec/shared.ts';

const start = defineCommand({
  name: 's',
  aliases: ['start'],
  summary: 'Start a session for this directory',
  without: ['session'],
  inherits: sharedOptions,
  load: () => import('./commands/start.ts'),
});

const archive = defineCommand({
  name: 'a',
  aliases: ['archive'],
  summary: 'Archive the session: the plan is kept, and the directory is free for another',
  arguments: [
    { name: 'sid', summary: 'Another session', optional: true, complete: () => import('./complete-session.ts') },
  ],
  options: { reason: { type: 'string', short: 'r', summary: 'Why' } },
  inherits: sharedOptions,
  load: () => import('./commands/archive.ts'),
});

const resume = defineCommand({
  name: 'r',
  aliases: ['resume'],
  summary: 'Show the plan and what was done last, to go on after an interruption',
  inherits: sharedOptions,
  load: () => import('./commands/resume.ts'),
});

const plan = defineCommand({
  name: 'p',
  aliases: ['plan'],
  summary: 'Show the plan',
  inherits: sharedOptions,
  load: () => import('./commands/plan.ts'),
});

const monitor = defineCommand({
  name: 'm',
  aliases: ['monitor'],
  summary: 'Watch the plan live, at a terminal',
  description: 'Shows goal, tasks and log as they change, whoever changes them. Press ? for its keys.',
  inherits: sharedOptions,
  load: () => import('./commands/monitor.ts'),
});

export const program = defineProgram({
  name: 'np',
  version: '0.1.0',
  summary: 'nasin pali: a plan per directory that an agent keeps and a person watches',
  description:
    'A session belongs to a directory and to everything below it. It has a goal, tasks with a status, and a log of ' +
    'every change with its reason. Every change is one durable transaction and answers with the resulting plan.',
  sharedOptions,
  examples: [
    { command: 'np s', summary: 'Start a session here' },
    { command: 'np g s -t "Fix #12" -d "src/login.ts drops the session"', summary: 'Say what it is about' },
    { command: 'np t a -t "Reproduce" -d "with a test" -t "Fix" -d ""', summary: 'Plan two steps in one transaction' },
    { command: 'np t u -i a1b2c3 -s completed -i d4e5f6 -s in_progress', summary: 'Go on to the next' },
    { command: 'np m', summary: 'Watch it live, in another terminal' },
  ],
  commands: [start, archive, resume, plan, monitor, goalCommand, taskCommand, ...dataCommands, ...agentCommands],
});
