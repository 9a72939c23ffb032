import type { CommandContext } from '@holdfast/cli';

import { fileVersion } from '../../git/history.ts';
import { pastPath } from '../../service/known-path.ts';
import { fileNamed, readContent } from '../../service/read-files.ts';
import { chosenNotebook, type CodexContext, withCodex } from '../with-codex.ts';

interface Input {
  readonly args: { readonly path: string };
  readonly options: CodexContext['options'] & { readonly at: string | undefined };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { at } = context.options;
  await withCodex(context, async (engine) => {
    const notebook = chosenNotebook(engine, context);
    const path = pastPath(engine.codex.store.reader, notebook.id, context.args.path);
    if (at === undefined) {
      const file = fileNamed(engine.codex.store.reader, notebook.id, path);
      context.out.raw(await readContent(notebook, file.path));
      return;
    }
    context.out.raw((await fileVersion(await engine.git.repository(notebook.id), path, at)).content);
  });
}
