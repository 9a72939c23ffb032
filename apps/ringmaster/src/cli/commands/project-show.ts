import type { CommandContext } from '@holdfast/cli';

import { settingNames } from '../../model/project-settings.ts';
import { showProject } from '../../service/projects.ts';
import { settingText } from '../view/setting.ts';
import { type RingmasterContext, withRingmaster } from '../with-ringmaster.ts';

interface Input {
  readonly args: { readonly id: string | undefined };
  readonly options: RingmasterContext['options'];
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { args, options, out } = context;
  await withRingmaster(context, async (rm) => {
    const project = showProject(rm, { project: args.id ?? options.project });
    out.result(project, (page) => {
      page.fields([
        ['id', project.id],
        ['name', project.name],
        ['description', project.description ?? ''],
        ['tech stack', project.tech_stack.join(', ')],
      ]);
      page.line();
      page.table(settingNames, [
        { heading: 'SETTING', value: (name) => name },
        { heading: 'VALUE', value: (name) => settingText(project.in_force[name]), flexible: true },
        { heading: 'FROM', value: (name) => (project.settings[name] === undefined ? 'ringmaster.toml' : 'project') },
      ]);
    });
  });
}
