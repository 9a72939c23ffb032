import type { MigrationPlan } from '@holdfast/sqlite';

import { attempts, others } from './own.ts';
import { prompts, run } from './run.ts';
import { chat, dependencies, events, projects, tasks, workers } from './design.ts';
import { triggers } from './triggers.ts';
import { views } from './views.ts';

export const migrations: MigrationPlan = {
  scope: 'ringmaster',
  steps: [
    {
      version: 1,
      description: 'the schema of the design document',
      up(connection) {
        for (const sql of [projects, tasks, dependencies, workers, attempts, others, chat, events, views, triggers]) {
          connection.exec(sql);
        }
        connection.exec('PRAGMA user_version = 1');
      },
    },
    {
      version: 2,
      description: 'running workers',
      up(connection) {
        connection.exec(run);
        connection.exec('PRAGMA user_version = 2');
      },
    },
    {
      version: 3,
      description: 'what went into prompts',
      up(connection) {
        connection.exec(prompts);
        connection.exec('PRAGMA user_version = 3');
      },
    },
  ],
};
