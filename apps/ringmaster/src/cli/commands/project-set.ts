import type { CommandContext } from '@holdfast/cli';

import { type SettingName, settingOfWords } from '../../model/project-settings.ts';
import { setProject } from '../../service/projects.ts';
import { settingText } from '../view/setting.ts';
import { type RingmasterContext, withRingmaster } from '../with-ringmaster.ts';

interface Input {
  readonly args: { readonly setting: SettingName; readonly value: readonly string[] };
  readonly options: RingmasterContext['options'];
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { args, options, out } = context;
  const { setting: name } = args;
  const changes = settingOfWords(name, args.value);
  await withRingmaster(context, async (rm) => {
    const project = await setProject(rm, { project: options.project, ...changes });
    out.result(project, (page) => page.line(`${project.id}: ${name} is ${settingText(project.in_force[name])}`));
  });
}
