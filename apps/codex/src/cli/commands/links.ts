import { type CommandContext, style } from '@holdfast/cli';

import { linksOf } from '../../service/links/links-of.ts';
import { seenPath } from '../../service/paths.ts';
import { fileNamed } from '../../service/read-files.ts';
import { chosenNotebook, type CliContext, withCodex } from '../with-codex.ts';

interface Input {
  readonly args: { readonly path: string };
  readonly options: CliContext['options'];
}

export async function run(context: CommandContext<Input>): Promise<void> {
  await withCodex(context, async (codex) => {
    const notebook = chosenNotebook(codex, context);
    const { reader } = codex.store;
    const file = fileNamed(reader, notebook.id, await seenPath(codex, notebook, context.args.path));
    const links = await linksOf(codex, notebook, file);
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
