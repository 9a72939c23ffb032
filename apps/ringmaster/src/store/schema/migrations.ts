import type { MigrationPlan } from '@holdfast/sqlite';

import { adoptDesign, setDesignAside } from './adopt.ts';
import { chat, dependencies, events, projects, tasks, workers } from './design.ts';
import { attempts, others, prompts, run } from './own.ts';
import { triggers } from './triggers.ts';
import { views } from './views.ts';

const tables = [projects, tasks, dependencies, workers, attempts, others, chat, events, run, prompts];

export const migrations: MigrationPlan = {
  scope: 'ringmaster',
  steps: [
    {
      version: 1,
      description: 'the schema of the design document, and ours',
      up(connection) {
        const design = setDesignAside(connection);
        for (const sql of tables) connection.exec(sql);
        adoptDesign(connection, design);
        for (const sql of [views, triggers]) connection.exec(sql);
        connection.exec('PRAGMA user_version = 1');
      },
    },
    {
      version: 2,
      description: 'attempt_runs.dropped_at: a person decided not to merge the work',
      up(connection) {
        connection.exec('ALTER TABLE attempt_runs ADD COLUMN dropped_at DATETIME');
        connection.exec('PRAGMA user_version = 2');
      },
    },
  ],
};
