import type { CommandContext } from '@holdfast/cli';

import { withCodex } from '../with-codex.ts';

export async function run({ env, out }: CommandContext): Promise<void> {
  const notebooks = await withCodex({ options: {}, env }, async (engine) => engine.notebooks());
  out.result(notebooks, (page) =>
    page.table(notebooks, [
      { heading: 'ID', value: ({ id }) => String(id) },
      { heading: 'NAME', value: ({ name }) => name },
      { heading: 'FOLDER', value: ({ path }) => path, flexible: true },
    ]),
  );
}
