import type { CommandContext } from '@holdfast/cli';

import { exportBeads } from '../../service/export-beads.ts';
import { type RingmasterContext, withRingmaster } from '../with-ringmaster.ts';

interface Input {
  readonly options: RingmasterContext['options'] & { readonly toBeads: string | undefined; readonly simple: boolean };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { options, out } = context;
  await withRingmaster(context, async (rm) => {
    const written = exportBeads(rm, { project: options.project, to: options.toBeads, simple: options.simple });
    out.result(written, (page) => page.line(`${written.lines} lines in ${written.path}`));
  });
}
