import { type CommandContext, style } from '@holdfast/cli';

import { linksOf } from '../../service/links/links-of.ts';
import { fileNamed } from '../../service/read-files.ts';
import { seenPath } from '../../service/seen-path.ts';
import { chosenNotebook, type CodexContext, withCodex } from '../with-codex.ts';

interface Input {
  readonly args: { readonly path: string };
  readonly options: CodexContext['options'];
}

export async function run(context: CommandContext<Input>): Promise<void> {
  await withCodex(context, async (engine) => {
    const notebook = chosenNotebook(engine, context);
    const { reader } = engine.codex.store;
    const file = fileNamed(reader, notebook.id, await seenPath(engine, notebook, context.args.path));
    const links = await linksOf(engine.codex, notebook, file);
    context.out.result(links, (page) => {
      if (links.outgoing.length + links.incoming.length === 0) page.line('No links lead from it or to it.');
      for (const { target, line, file: found } of links.outgoing) {
        page.line(
          `→ ${found?.path ?? target}`,
          style.dim(` line ${line}${found === null ? ', nothing is called so' : ''}`),
        );
      }
      for (const { file: from, line, context: around } of links.incoming) {
        page.line(`← ${from.path}:${line} `, style.dim(around));
      }
    });
  });
}
