import type { CommandContext } from '@holdfast/cli';
import { canonicalDirectory } from '../../adapters/directory.ts';
import { fileIdentity } from '../../adapters/files.ts';
import { databasePath } from '../../adapters/place.ts';
import { npErrors } from '../../model/errors.ts';
import { openNp } from '../../service/np.ts';
import { runMonitor } from '../../tui/monitor.ts';
import { type NpContext, whereOf } from '../with-np.ts';

export async function run(context: CommandContext<{ readonly options: NpContext['options'] }>): Promise<void> {
  if (!context.isInteractive) throw npErrors.NOT_A_TERMINAL('The monitor needs a terminal.');
  const { options, env, signal } = context;
  const path = databasePath(env);
  const hasNoColor = env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== '';
  await runMonitor({
    database: { open: () => openNp({ path }), identity: () => fileIdentity(path) },
    where: whereOf(options),
    directory: canonicalDirectory(options.dir),
    useColour: !hasNoColor && !context.given.some(({ name }) => name === 'color'),
    signal,
  });
}
