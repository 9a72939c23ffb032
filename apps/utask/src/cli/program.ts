import { VERSION } from '@holdfast/base';
import { defineProgram } from '@holdfast/cli';
import { sharedOptions } from './command.ts';
import { storeCommands } from './store.ts';
import { taskCommands } from './tasks.ts';

export const program = defineProgram({
  name: 'ut',
  version: VERSION,
  summary: 'Keep a small task list, on this machine or shared over NATS',
  description:
    'By default, tasks are stored in a database on this machine. With UTASK_NATS_URL or --nats-url, they are stored on ' +
    'that NATS server and shared with everyone who uses it. You can shorten an id to its first characters (at least 4).',
  sharedOptions,
  commands: [...taskCommands, ...storeCommands],
});
