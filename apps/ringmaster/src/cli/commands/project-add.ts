import type { CommandContext } from '@holdfast/cli';

import { addProject } from '../../service/projects.ts';
import { type RingmasterContext, withRingmaster } from '../with-ringmaster.ts';

interface Input {
  readonly args: { readonly name: string };
  readonly options: RingmasterContext['options'] & {
    readonly id: string | undefined;
    readonly description: string | undefined;
    readonly tech: readonly string[];
  };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { args, options, out } = context;
  await withRingmaster(context, async (rm) => {
    const { id, description, tech } = options;
    const project = await addProject(rm, { name: args.name, id, description, tech_stack: tech });
    out.result(project, (page) => page.line(project.id));
  });
}
