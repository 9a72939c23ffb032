import type { CommandContext } from '@holdfast/cli';
import { canonicalDirectory } from '../../adapters/directory.ts';
import { fileIdentity } from '../../adapters/files.ts';
import { databasePath } from '../../adapters/place.ts';
import { npErrors } from '../../model/errors.ts';
import { openNp } from '../../service/np.ts';
import { pinSession } from '../../service/resolve.ts';
import { runMonitor } from '../../tui/monitor.ts';
import { type NpContext, whereOf, withNp } from '../with-np.ts';

export async function run(context: CommandContext<{ readonly options: NpContext['options'] }>): Promise<void> {
  if (!context.isInteractive) throw npErrors.NOT_A_TERMINAL('The monitor needs a terminal.');
  const { options, env, signal } = context;
  const path = databasePath(env);
  const hasNoColor = env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== '';
  await runMonitor({
    database: { open: () => openNp({ path }), identity: () => fileIdentity(path) },
    where: options.session === undefined ? whereOf(options) : await namedSession(context),
    directory: canonicalDirectory(options.dir),
    useColour: !hasNoColor && !context.given.some(({ name }) => name === 'color'),
    signal,
  });
}

/** A session that does not exist is refused before the monitor takes the terminal. */
function namedSession(context: NpContext): Promise<{ readonly sid: string }> {
  return withNp(context, (np, { where }) => pinSession(np, where));
}
