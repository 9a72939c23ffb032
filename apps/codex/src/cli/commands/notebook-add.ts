import { resolve } from 'node:path';

import type { CommandContext } from '@holdfast/cli';

import { addNotebook } from '../../service/notebooks.ts';
import { withCodex } from '../with-codex.ts';

interface Input {
  readonly args: { readonly name: string; readonly folder: string | undefined };
}

export async function run({ args, env, out }: CommandContext<Input>): Promise<void> {
  const path = args.folder === undefined ? undefined : resolve(args.folder);
  const notebook = await withCodex({ options: {}, env }, async (codex) => {
    const added = await addNotebook(codex, { name: args.name, path });
    await codex.git.repository(added.id);
    return added;
  });
  out.result(notebook, (page) => page.line(`Notebook ${notebook.id}, ${notebook.name}, is ${notebook.path}`));
}
