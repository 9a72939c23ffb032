import { type CommandContext, style } from '@holdfast/cli';

import { type UnresolvedLink, unresolvedLinks } from '../../service/links/unresolved.ts';
import { chosenNotebook, type CliContext, withCodex } from '../with-codex.ts';

interface Input {
  readonly options: CliContext['options'] & { readonly limit: number };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { limit } = context.options;
  await withCodex(context, async (codex) => {
    const { id } = chosenNotebook(codex, context);
    const found: UnresolvedLink[] = [];
    for (let after: string | undefined = ''; after !== undefined && found.length < limit;) {
      const page = await unresolvedLinks(codex, id, after, limit - found.length);
      found.push(...page.links);
      after = page.next;
    }
    context.out.result(found, (page) => {
      if (found.length === 0) page.line('Every link leads to a file.');
      for (const { target, from } of found) {
        page.line(target, style.dim(` in ${from.map(({ path, line }) => `${path}:${line}`).join(', ')}`));
      }
    });
  });
}
