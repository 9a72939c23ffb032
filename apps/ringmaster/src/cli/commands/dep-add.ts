import type { CommandContext } from '@holdfast/cli';

import type { Gate } from '../../model/dependency.ts';
import { addDependency } from '../../service/dependencies.ts';
import { type RingmasterContext, withRingmaster } from '../with-ringmaster.ts';

interface Input {
  readonly args: { readonly task: string; readonly on: string };
  readonly options: RingmasterContext['options'] & {
    readonly type: string | undefined;
    readonly gate: Gate | undefined;
  };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { args, options, out } = context;
  await withRingmaster(context, async (rm) => {
    const isNew = await addDependency(rm, {
      child: args.task,
      parent: args.on,
      type: options.type,
      gate: options.gate,
    });
    out.result({ child: args.task, parent: args.on, created: isNew }, (page) =>
      page.line(`${args.task} waits for ${args.on}${isNew ? '' : ' already'}`),
    );
  });
}
