import { defineProgram } from '@holdfast/cli';
import { sharedOptions } from './command.ts';
import { storeCommands } from './store.ts';
import { taskCommands } from './tasks.ts';

export const program = defineProgram({
  name: 'ut',
  version: '0.1.0',
  summary: 'A tiny task list, on this machine or shared over NATS',
  description:
    'Without a server the tasks are in a database on this machine. With UTASK_NATS_URL or --nats-url they are on that ' +
    'NATS server, for everybody who uses it. Ids may be shortened to their first characters, at least 4.',
  sharedOptions,
  commands: [...taskCommands, ...storeCommands],
});
