import type { CommandContext } from '@holdfast/cli';
import { databaseOf } from '../adapters/files.ts';
import { statusLine, statusLines } from '../model/brief.ts';
import type { PlanStatus } from '../model/plan.ts';
import { showPlan } from '../operations/sessions.ts';
import { openNp } from '../service/np.ts';
import { showStatus, type ShownPlan } from '../service/plan.ts';
import type { TargetOptions } from './command.ts';
import { targetOf } from './with-np.ts';

interface StatusOptions extends TargetOptions {
  readonly line: boolean;
}

type StatusContext = CommandContext<{ readonly options: StatusOptions }>;

/** With `--line`, never fails, because a shell prompt must not show an error. */
export async function printStatus(context: StatusContext): Promise<void> {
  const { options, out } = context;
  try {
    const status = await readStatus(context);
    out.result(status, (page) => page.lines(options.line ? [statusLine(status)] : statusLines(status)));
  } catch (error) {
    if (!options.line) throw error;
  }
}

async function readStatus({ options, env }: StatusContext): Promise<PlanStatus> {
  if (options.server !== undefined) {
    const { remoteRun } = await import('./remote.ts');
    const { session, goal, counts, tasks } = (await remoteRun(options, env)(showPlan, {})) as ShownPlan;
    return { session, goal, counts, in_progress: tasks.filter(({ status }) => status === 'in_progress') };
  }
  const np = await openNp({ ...databaseOf(env), create: !options.line, onUnreadable: () => undefined });
  return showStatus(np, targetOf(np, options).where);
}
