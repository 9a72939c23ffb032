import { type CommandContext, style } from '@holdfast/cli';

import { fileHistory, notebookHistory } from '../../git/history.ts';
import { pastPath } from '../../service/paths.ts';
import { fileNamed } from '../../service/read-files.ts';
import { chosenNotebook, type CliContext, withCodex } from '../with-codex.ts';

interface Input {
  readonly args: { readonly path: string | undefined };
  readonly options: CliContext['options'] & { readonly limit: number };
}

const SHORT = 10;

export async function run(context: CommandContext<Input>): Promise<void> {
  const { args, options, out } = context;
  await withCodex(context, async (codex) => {
    const notebook = chosenNotebook(codex, context);
    const opened = await codex.git.repository(notebook.id);
    const range = { limit: options.limit };
    const { reader } = codex.store;
    const path = args.path === undefined ? undefined : pastPath(reader, notebook.id, args.path);
    const entries = path === undefined ? await notebookHistory(opened, range) : await fileHistory(opened, path, range);
    // What was never committed may be there all the same.
    if (entries.length === 0 && path !== undefined) fileNamed(reader, notebook.id, path);
    out.result(entries, (page) => {
      if (entries.length === 0) page.line('No commits yet.');
      for (const { sha, at, author, subject } of entries) {
        page.line(style.yellow(sha.slice(0, SHORT)), ` ${at} `, style.dim(author), ` ${subject}`);
      }
    });
  });
}
