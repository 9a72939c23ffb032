import type { CommandContext } from '@holdfast/cli';

import { removeNotebook } from '../../service/notebooks.ts';
import { namedNotebook } from '../../store/notebooks.ts';
import { withCodex } from '../with-codex.ts';

interface Input {
  readonly args: { readonly name: string };
}

export async function run({ args, env, out }: CommandContext<Input>): Promise<void> {
  const notebook = await withCodex({ options: {}, env }, async (codex) => {
    const found = namedNotebook(codex.store.reader, args.name);
    await removeNotebook(codex, found, codex);
    return found;
  });
  out.result(notebook, (page) =>
    page.line(`${notebook.name} is no notebook any more; its files are in ${notebook.path}`),
  );
}
