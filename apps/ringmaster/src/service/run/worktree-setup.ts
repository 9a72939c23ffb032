import { fileExists } from '../../adapters/files.ts';
import { provideFiles } from '../../adapters/worktree-files.ts';
import { recordSetup } from '../../adapters/worktree.ts';
import { ringmasterErrors } from '../../model/errors.ts';
import { type AttemptRun, runOf } from '../../store/attempt-runs.ts';
import { logSection } from '../../worker/log-format.ts';
import { lastOf, stopText, withTail } from '../../worker/outcome.ts';
import { type Made, workingFolder } from './folder.ts';
import { cannotStart, type SupervisedEnd, superviseProcess } from './process.ts';
import { attemptVariables, limitsOf, type Working } from './turn.ts';

type SettingUp = Pick<Working, 'supervisor' | 'attempt' | 'settings' | 'stopper'>;

/**
 * Makes a new worktree ready for a worker: copies and links files, then runs setup_command. Returns the output of the
 * command. After a crash, the setup is repeated in a new worktree.
 */
export async function setUpWorktree(context: SettingUp, made: Made): Promise<string> {
  const { supervisor, attempt } = context;
  const { rm, tell } = supervisor;
  const { copy_paths: copy, link_paths: link, setup_command: command, ports_per_worktree: ports } = rm.config.run;
  const run = runOf(rm.store.reader, attempt.id);
  if (run === undefined || run.repository === null) return '';
  if (ports > 0 && run.port_start === null) {
    throw ringmasterErrors.WORKTREE_SETUP_FAILED('Other worktrees use all ports starting at first_port');
  }
  if (copy.length + link.length > 0) {
    const missing = await provideFiles({ repository: run.repository, worktree: run.folder, copy, link });
    for (const path of missing) {
      tell({ kind: 'note', task: attempt.task_id, text: `${path} does not exist in ${run.repository}` });
    }
  }
  if (command.length === 0) return '';
  const log = await runSetup(context, { ...run, repository: run.repository }, command);
  // If the worktree contains the work of an earlier attempt, that work counts as a change anyway.
  if (made.head_commit === made.base_commit) await recordSetup(run.folder);
  return log;
}

async function runSetup(
  context: SettingUp,
  run: AttemptRun & { readonly repository: string },
  command: readonly string[],
): Promise<string> {
  const { supervisor, attempt, settings, stopper } = context;
  const { rm, tell } = supervisor;
  const [program = '', ...args] = command;
  const title = `setup_command (${command.join(' ')})`;
  tell({ kind: 'checking', task: attempt.task_id, attempt: attempt.id, text: title });
  let log = logSection(title, rm.clock()).trimStart();
  try {
    const end = await superviseProcess(supervisor, {
      invocation: { command: program, args, stdin: undefined },
      folder: workingFolder(run, settings),
      worktree: { path: run.folder, repository: run.repository },
      // The setup command usually downloads packages.
      hasNetwork: true,
      runName: `${supervisor.id}.${attempt.id}.setup`,
      env: attemptVariables(rm, attempt, settings),
      limits: limitsOf(context, settings.timeoutMs, Infinity),
      stopper,
      append: (text) => (log += text),
    });
    // If a person, a shutdown or a lost lease stopped the command, the next step of the attempt handles that.
    if (stopper.asked === undefined && (end.exitCode !== 0 || end.stopped !== undefined)) throw failed(title, end);
    return `${log}\n`;
  } catch (error) {
    if (!cannotStart(error)) throw error;
    const why = fileExists(run.folder) ? `the command "${program}" cannot be started` : 'the worktree is gone';
    throw ringmasterErrors.WORKTREE_SETUP_FAILED(`${title} failed: ${why}`, { cause: error });
  }
}

function failed(title: string, { exitCode, signal, stopped, output }: SupervisedEnd): Error {
  const ending = `${title} ended with ${signal ?? `exit code ${exitCode}`}`;
  const why = stopped === undefined ? ending : stopText(title, stopped);
  const tail = [...lastOf(output.lastLines('err')), ...lastOf(output.lastLines('out'))];
  return ringmasterErrors.WORKTREE_SETUP_FAILED(withTail(why, tail));
}
