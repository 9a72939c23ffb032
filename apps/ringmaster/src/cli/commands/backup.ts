import type { CommandContext } from '@holdfast/cli';

import { backup, listBackups, verifyBackups } from '../../service/backup.ts';
import { type RingmasterContext, withRingmaster } from '../with-ringmaster.ts';

interface Input {
  readonly options: RingmasterContext['options'] & { readonly list: boolean; readonly verify: boolean };
}

export async function run(context: CommandContext<Input>): Promise<void | 1> {
  const { options, out } = context;
  return withRingmaster(context, async (rm) => {
    if (options.list) {
      const found = listBackups(rm);
      out.result(found, (page) => page.lines(found.map((one) => `${one.created_at} r${one.revision} ${one.path}`)));
      return undefined;
    }
    if (options.verify) {
      const checked = await verifyBackups(rm);
      const bad = checked.filter(({ problem }) => problem !== null);
      out.result(checked, (page) => page.lines(checked.map(({ path, problem }) => `${path}: ${problem ?? 'sound'}`)));
      return bad.length > 0 ? 1 : undefined;
    }
    const made = await backup(rm);
    out.result(made, (page) => page.line(`${made.path}: revision ${made.revision}, ${made.files} files, checked`));
    return undefined;
  });
}
