import type { CommandContext } from '@holdfast/cli';

import { listProjects } from '../../store/projects.ts';
import { type RingmasterContext, withRingmaster } from '../with-ringmaster.ts';

interface Input {
  readonly options: RingmasterContext['options'];
}

export async function run(context: CommandContext<Input>): Promise<void> {
  await withRingmaster(context, async ({ store }) => {
    const projects = listProjects(store.reader);
    context.out.result(projects, (page) => {
      if (projects.length === 0) return page.line("No projects. 'ringmaster project add NAME' makes one.");
      return page.table(projects, [
        { heading: 'ID', value: ({ id }) => id },
        { heading: 'NAME', value: ({ name }) => name, flexible: true },
      ]);
    });
  });
}
