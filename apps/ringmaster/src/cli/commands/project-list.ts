import type { CommandContext } from '@holdfast/cli';

import { allProjects } from '../../service/projects.ts';
import { type RingmasterContext, withRingmaster } from '../with-ringmaster.ts';

interface Input {
  readonly options: RingmasterContext['options'];
}

export async function run(context: CommandContext<Input>): Promise<void> {
  await withRingmaster(context, async (rm) => {
    const projects = allProjects(rm);
    context.out.result(projects, (page) => {
      if (projects.length === 0) return page.line("No projects. 'ringmaster project add NAME' makes one.");
      return page.table(projects, [
        { heading: 'ID', value: ({ id }) => id },
        { heading: 'NAME', value: ({ name }) => name, flexible: true },
      ]);
    });
  });
}
