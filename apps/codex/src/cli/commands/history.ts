import { type CommandContext, style } from '@holdfast/cli';

import { fileHistory, notebookHistory } from '../../git/history.ts';
import { pastPath } from '../../service/known-path.ts';
import { chosenNotebook, type CodexContext, withCodex } from '../with-codex.ts';

interface Input {
  readonly args: { readonly path: string | undefined };
  readonly options: CodexContext['options'] & { readonly limit: number };
}

const SHORT = 10;

export async function run(context: CommandContext<Input>): Promise<void> {
  const { args, options, out } = context;
  await withCodex(context, async (engine) => {
    const notebook = chosenNotebook(engine, context);
    const opened = await engine.git.repository(notebook.id);
    const range = { limit: options.limit };
    const entries =
      args.path === undefined
        ? await notebookHistory(opened, range)
        : await fileHistory(opened, pastPath(engine.codex.store.reader, notebook.id, args.path), range);
    out.result(entries, (page) => {
      for (const { sha, at, author, subject } of entries) {
        page.line(style.yellow(sha.slice(0, SHORT)), ` ${at} `, style.dim(author), ` ${subject}`);
      }
    });
  });
}
