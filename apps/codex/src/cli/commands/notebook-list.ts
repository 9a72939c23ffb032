import type { CommandContext } from '@holdfast/cli';

import { withCodex } from '../with-codex.ts';

export async function run({ env, out }: CommandContext): Promise<void> {
  const notebooks = await withCodex({ options: {}, env }, async (codex) => codex.notebooks());
  out.result(notebooks, (page) => {
    if (notebooks.length === 0) return page.line("No notebooks. Use 'holdfast codex notebook add NAME FOLDER'.");
    return page.table(notebooks, [
      { heading: 'ID', value: ({ id }) => String(id), align: 'right' },
      { heading: 'NAME', value: ({ name }) => name },
      { heading: 'FOLDER', value: ({ path }) => path, flexible: true },
    ]);
  });
}
