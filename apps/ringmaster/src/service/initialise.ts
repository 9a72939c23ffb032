import { join } from 'node:path';

import { makeFolders, writeOnce } from '../adapters/files.ts';
import { registerWorkspace } from '../adapters/workspace.ts';
import { addProject, allProjects } from './projects.ts';
import type { Ringmaster } from './ringmaster.ts';

const SETTINGS = `# Settings of ringmaster. Every key is optional; these are the defaults.

[storage]
db_path = ".ringmaster/ringmaster.db"
files_path = ".ringmaster"
backup_interval_hours = 1
backup_retention_days = 7
cleanup_completed_tasks_days = 30
cleanup_iteration_logs_days = 7

# 'ringmaster run' starts the workers below.
# [run]
# slots = 4                       # workers at once
# max_iterations = 3              # turns of a worker before the attempt fails
# test_command = ["npm", "test"]  # must pass before a task is done
# review = "none"                 # or "person", or "command" with review_command = [...]
# silence_seconds = 1200          # stop a worker that prints nothing for this long

# [[workers]]
# name = "claude-code-1"
# type = "claude-code"            # claude-code, codex and aider need no args
# command = "claude"
# max_concurrent = 2
`;

export interface Initialised {
  readonly root: string;
  readonly database: string;
  readonly settings: string;
  /** Id of the added project; null if none was added. */
  readonly project: string | null;
  readonly projects: number;
}

/** Creates the folders and ringmaster.toml, and registers the workspace for the server. Keeps existing files. */
export async function initialise(
  rm: Ringmaster,
  { home, name }: { readonly home: string; readonly name: string | undefined },
): Promise<Initialised> {
  const { root, databasePath, filesPath } = rm.workspace;
  const settings = join(root, 'ringmaster.toml');
  makeFolders(filesPath, ['projects', 'tasks', 'workers', 'exports', 'backups']);
  writeOnce(settings, SETTINGS);
  registerWorkspace(home, root);
  const isNew = name !== undefined && !allProjects(rm).some((known) => known.name === name);
  const project = isNew ? (await addProject(rm, { name })).id : null;
  return { root, database: databasePath, settings, project, projects: allProjects(rm).length };
}
