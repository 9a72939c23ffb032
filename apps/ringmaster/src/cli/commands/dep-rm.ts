import type { CommandContext } from '@holdfast/cli';

import { removeDependency } from '../../service/dependencies.ts';
import { type RingmasterContext, withRingmaster } from '../with-ringmaster.ts';

interface Input {
  readonly args: { readonly task: string; readonly on: string };
  readonly options: RingmasterContext['options'] & { readonly type: string | undefined };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { args, options, out } = context;
  await withRingmaster(context, async (rm) => {
    await removeDependency(rm, { task: args.task, depends_on: args.on, type: options.type });
    out.result({ task: args.task, depends_on: args.on }, (page) =>
      page.line(`${args.task} no longer depends on ${args.on}`),
    );
  });
}
