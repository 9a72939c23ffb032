import type { CommandContext } from '@holdfast/cli';

import { serve } from '../../mcp/server.ts';
import { type RingmasterContext, withRingmaster } from '../with-ringmaster.ts';

interface Input {
  readonly options: RingmasterContext['options'];
}

export async function run(context: CommandContext<Input>): Promise<void> {
  await withRingmaster(context, (rm) => serve(rm, context.stdin.lines(), context.out.raw));
}
