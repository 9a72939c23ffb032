import { join, resolve } from 'node:path';
import { holdfastHome } from '@holdfast/base';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where the database lies: NP_DIR for np alone, else with everything else of Holdfast. */
export function databasePath(env: Environment): string {
  const chosen = env['NP_DIR'];
  return join(chosen === undefined || chosen === '' ? holdfastHome(env) : resolve(chosen), 'np.db');
}
