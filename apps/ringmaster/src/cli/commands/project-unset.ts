import type { CommandContext } from '@holdfast/cli';

import type { SettingName } from '../../model/project-settings.ts';
import { setProject } from '../../service/projects.ts';
import { settingText } from '../view/setting.ts';
import { type RingmasterContext, withRingmaster } from '../with-ringmaster.ts';

interface Input {
  readonly args: { readonly settings: readonly SettingName[] };
  readonly options: RingmasterContext['options'];
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { args, options, out } = context;
  const { settings: names } = args;
  await withRingmaster(context, async (rm) => {
    const project = await setProject(rm, {
      project: options.project,
      ...Object.fromEntries(names.map((name) => [name, null])),
    });
    const line = (name: SettingName): string =>
      `${project.id}: ${name} is as in ringmaster.toml: ${settingText(project.in_force[name])}`;
    out.result(project, (page) => page.lines(names.map(line)));
  });
}
