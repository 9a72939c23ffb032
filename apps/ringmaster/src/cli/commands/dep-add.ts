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
    const { type, gate } = options;
    const added = await addDependency(rm, { task: args.task, depends_on: args.on, type, gate });
    out.result(added, (page) =>
      page.line(`${added.task} ${added.created ? 'now depends' : 'already depended'} on ${added.depends_on}`),
    );
  });
}
