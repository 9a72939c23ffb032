import type { MigrationPlan } from '@holdfast/sqlite';

import { chat, dependencies, events, projects, tasks, workers } from './design.ts';
import { attempts, others, prompts, run } from './own.ts';
import { triggers } from './triggers.ts';
import { views } from './views.ts';

const schema = [projects, tasks, dependencies, workers, attempts, others, chat, events, run, prompts, views, triggers];

export const migrations: MigrationPlan = {
  scope: 'ringmaster',
  steps: [
    {
      version: 1,
      description: 'the schema of the design document, and ours',
      up(connection) {
        for (const sql of schema) connection.exec(sql);
        connection.exec('PRAGMA user_version = 1');
      },
    },
  ],
};
