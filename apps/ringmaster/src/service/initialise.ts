import { basename, join } from 'node:path';

import { makeFolders, writeOnce } from '../adapters/files.ts';
import { registerWorkspace } from '../adapters/workspace.ts';
import { addProject, allProjects } from './projects.ts';
import type { Ringmaster } from './ringmaster.ts';

const SETTINGS = `# Settings for ringmaster. Every key is optional; these are the defaults.

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
# type = "claude-code"            # or codex, gemini, opencode, cursor, aider: they need no args; or custom
# command = "claude"
# max_concurrent = 2
`;

export interface Initialised {
  readonly root: string;
  readonly database: string;
  readonly settings: string;
  /** Id of the added project; null if none was added. */
  readonly project: string | null;
}

/**
 * Creates the folders, ringmaster.toml and, if there is none, a project; registers the workspace for the server. Keeps
 * existing files.
 */
export async function initialise(
  rm: Ringmaster,
  { home, name }: { readonly home: string; readonly name: string | undefined },
): Promise<Initialised> {
  const { root, databasePath, filesPath } = rm.workspace;
  const settings = join(root, 'ringmaster.toml');
  makeFolders(filesPath, ['projects', 'tasks', 'workers', 'exports', 'backups']);
  writeOnce(settings, SETTINGS);
  // Keeps the state out of the user's repository, unless the state is directly in the root folder.
  if (filesPath !== root) writeOnce(join(filesPath, '.gitignore'), '*\n');
  registerWorkspace(home, root);
  const known = allProjects(rm);
  const wanted = name ?? (known.length === 0 ? basename(root) || 'Project' : undefined);
  const isNew = wanted !== undefined && !known.some((one) => one.name === wanted);
  const project = isNew ? (await addProject(rm, { name: wanted })).id : null;
  return { root, database: databasePath, settings, project };
}
