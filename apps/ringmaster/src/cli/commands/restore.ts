import { join, resolve } from 'node:path';

import { type CommandContext, commandLineErrors } from '@holdfast/cli';

import { loadConfig } from '../../adapters/config-file.ts';
import { fileExists } from '../../adapters/files.ts';
import { findRoot, workspaceAt } from '../../adapters/workspace.ts';
import { ringmasterErrors } from '../../model/errors.ts';
import { restoreAt, restoreFrom, settleFiles } from '../../service/restore.ts';
import { type RingmasterContext, withRingmaster } from '../with-ringmaster.ts';

interface Input {
  readonly options: RingmasterContext['options'] & {
    readonly at: string | undefined;
    readonly from: string | undefined;
  };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { options, out } = context;
  const { at, from } = options;
  if (from === undefined) {
    if (at === undefined)
      throw commandLineErrors.MISSING_OPTION('Say what to restore: --at a moment, or --from a backup');
    return withRingmaster(context, async (rm) => {
      const restored = await restoreAt(rm, at);
      out.result(restored, (page) => {
        page.line(`Back at revision ${restored.revision}: ${restored.changed} changes undone`);
        page.line(
          `${restored.files.brought_back.length} files brought back, ${restored.files.put_away.length} put away`,
        );
        for (const path of restored.files.missing) page.line(`Missing: ${path}`);
        page.line(`To undo this: ringmaster restore --at ${restored.undo_with}`);
      });
    });
  }
  const root = findRoot(options.dir ?? process.cwd());
  const workspace = workspaceAt(root, await loadConfig(join(root, 'ringmaster.toml')));
  const path = fileExists(from) ? resolve(from) : join(workspace.filesPath, 'backups', from);
  if (!fileExists(path)) {
    throw ringmasterErrors.FILE_UNREADABLE(`There is no backup ${from}`, {
      hint: "'ringmaster backup --list' shows them.",
    });
  }
  const { kept } = await restoreFrom(workspace, path, at);
  await withRingmaster(context, async (rm) => {
    const files = settleFiles(rm);
    out.result({ from: path, kept: kept ?? null, files }, (page) => {
      page.line(`The database is that of ${path}`);
      if (kept !== undefined) page.line(`What was there is kept as ${kept}`);
    });
  });
}
