import { join, resolve } from 'node:path';
import { holdfastHome } from '@holdfast/base';

type Environment = Readonly<Record<string, string | undefined>>;

/** Path of the database: below NP_DIR if set, else below the data home of Holdfast. */
export function databasePath(env: Environment): string {
  const chosen = env['NP_DIR'];
  return join(chosen === undefined || chosen === '' ? holdfastHome(env) : resolve(chosen), 'np.db');
}
