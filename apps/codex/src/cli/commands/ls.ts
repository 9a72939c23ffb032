import type { CommandContext } from '@holdfast/cli';

import type { FileRecord } from '../../model/notebook.ts';
import type { NotebookPath } from '../../model/path.ts';
import { seenPath } from '../../service/paths.ts';
import { fileNamed } from '../../service/read-files.ts';
import { listFiles } from '../../store/files.ts';
import { folderAt } from '../../store/folders.ts';
import type { Tx } from '../../store/open.ts';
import { chosenNotebook, type CliContext, withCodex } from '../with-codex.ts';

interface Input {
  readonly args: { readonly path: string | undefined };
  readonly options: CliContext['options'] & { readonly limit: number };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { args, options, out } = context;
  await withCodex(context, async (codex) => {
    const { reader } = codex.store;
    const notebook = chosenNotebook(codex, context);
    const named = args.path === undefined ? undefined : await seenPath(codex, notebook, trimmed(args.path));
    const files = filesAt(reader, notebook.id, named, options.limit).map((row) => ({
      id: row.id,
      path: row.path,
      size: row.size,
      hash: row.hash,
      title: row.title,
      updated_at: row.updated_at,
      git_tracked: row.git_tracked === 1,
      git_reason: row.git_reason,
    }));
    out.result(files, (page) => {
      if (files.length === 0) return page.line('No files.');
      return page.table(files, [
        { heading: 'PATH', value: ({ path }) => path, flexible: true },
        { heading: 'BYTES', value: ({ size }) => String(size), align: 'right' },
        { heading: 'CHANGED', value: ({ updated_at }) => updated_at },
        { heading: 'GIT', value: ({ git_reason }) => git_reason ?? '' },
      ]);
    });
  });
}

/** All files, those below a folder, or the one that is named. */
function filesAt(tx: Tx, notebookId: number, path: NotebookPath | undefined, limit: number): FileRecord[] {
  if (path === undefined) return listFiles(tx, notebookId, { limit });
  if (folderAt(tx, notebookId, path) !== undefined) return listFiles(tx, notebookId, { folder: path, limit });
  return [fileNamed(tx, notebookId, path)];
}

/** As shells complete the name of a folder. */
function trimmed(path: string): string {
  return path.replace(/(?<=.)\/+$/u, '');
}
