import type { CommandContext } from '@holdfast/cli';

import { dropDependency } from '../../service/dependencies.ts';
import { type RingmasterContext, withRingmaster } from '../with-ringmaster.ts';

interface Input {
  readonly args: { readonly task: string; readonly on: string };
  readonly options: RingmasterContext['options'] & { readonly type: string | undefined };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { args, options, out } = context;
  await withRingmaster(context, async (rm) => {
    await dropDependency(rm, { child: args.task, parent: args.on, type: options.type });
    out.result({ child: args.task, parent: args.on }, (page) =>
      page.line(`${args.task} waits for ${args.on} no longer`),
    );
  });
}
