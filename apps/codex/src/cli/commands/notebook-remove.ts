import type { CommandContext } from '@holdfast/cli';

import { removeNotebook } from '../../service/notebooks.ts';
import { namedNotebook } from '../../store/notebooks.ts';
import { withCodex } from '../with-codex.ts';

interface Input {
  readonly args: { readonly name: string };
}

export async function run({ args, env, out }: CommandContext<Input>): Promise<void> {
  const notebook = await withCodex({ options: {}, env }, async (engine) => {
    const found = namedNotebook(engine.codex.store.reader, args.name);
    await removeNotebook(engine.codex, found, engine);
    return found;
  });
  out.result(notebook, (page) =>
    page.line(`${notebook.name} is no notebook any more; its files are in ${notebook.path}`),
  );
}
