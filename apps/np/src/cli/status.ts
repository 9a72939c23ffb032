import type { CommandContext } from '@holdfast/cli';
import { databaseOf } from '../adapters/files.ts';
import { statusLine, statusLines } from '../model/brief.ts';
import { openNp } from '../service/np.ts';
import { showStatus } from '../service/plan.ts';
import type { TargetOptions } from './command.ts';
import { targetOf } from './with-np.ts';

interface StatusOptions extends TargetOptions {
  readonly line: boolean;
}

/** With `--line`, never fails, because a shell prompt must not show an error. */
export async function printStatus(context: CommandContext<{ readonly options: StatusOptions }>): Promise<void> {
  const { options, env, out } = context;
  try {
    const np = await openNp({ ...databaseOf(env), create: !options.line, onUnreadable: () => undefined });
    const status = await showStatus(np, targetOf(np, options).where);
    out.result(status, (page) => page.lines(options.line ? [statusLine(status)] : statusLines(status)));
  } catch (error) {
    if (!options.line) throw error;
  }
}
