import { join, resolve } from 'node:path';

import { holdfastHome } from '@holdfast/base';
import type { CommandContext } from '@holdfast/cli';

import { makeFolders, writeOnce } from '../../adapters/files.ts';
import { registerWorkspace } from '../../adapters/workspace.ts';
import { addProject, allProjects } from '../../service/projects.ts';
import { type RingmasterContext, withRingmaster } from '../with-ringmaster.ts';

interface Input {
  readonly options: RingmasterContext['options'] & { readonly name: string | undefined };
}

const SETTINGS = `# Settings of ringmaster. Every key may be left out; these are the defaults.

[storage]
db_path = ".ringmaster/ringmaster.db"
files_path = ".ringmaster"
backup_interval_hours = 1
backup_retention_days = 7
cleanup_completed_tasks_days = 30
cleanup_iteration_logs_days = 7

# 'ringmaster run' starts the workers below.
# [run]
# slots = 4                       # how many at once
# max_iterations = 3              # turns of a worker before the attempt has failed
# test_command = ["npm", "test"]  # has to pass before a task is done
# review = "none"                 # or "person", or "command" with review_command = [...]
# silence_seconds = 1200          # a worker that prints nothing for so long is stopped

# [[workers]]
# name = "claude-code-1"
# type = "claude-code"            # claude-code, codex and aider need no args
# command = "claude"
# max_concurrent = 2
`;

export async function run(context: CommandContext<Input>): Promise<void> {
  const { options, out } = context;
  const root = resolve(options.dir ?? process.cwd());
  const settings = join(root, 'ringmaster.toml');
  await withRingmaster(
    { ...context, options: { ...options, dir: root } },
    async (rm) => {
      makeFolders(rm.workspace.filesPath, ['projects', 'tasks', 'workers', 'exports', 'backups']);
      writeOnce(settings, SETTINGS);
      registerWorkspace(holdfastHome(context.env), root);
      const known = allProjects(rm);
      const isNew = options.name !== undefined && !known.some(({ name }) => name === options.name);
      const project = isNew ? await addProject(rm, { name: options.name }) : undefined;
      const data = { root, database: rm.workspace.databasePath, settings, project: project?.id ?? null };
      out.result(data, (page) => {
        page.line(`Ready in ${rm.workspace.filesPath}`);
        if (project !== undefined) page.line(`Project ${project.id}`);
        else if (known.length === 0) page.line("Next: ringmaster project add 'NAME'");
      });
    },
    { create: true },
  );
}
