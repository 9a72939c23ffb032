import { readTomlFile } from '@holdfast/base';

import { type Config, defaultConfig, readConfig } from '../model/config.ts';
import { ringmasterErrors } from '../model/errors.ts';

/** Reads ringmaster.toml, or returns the defaults. */
export async function loadConfig(path: string): Promise<Config> {
  const file = await readTomlFile(path, (reason, line, cause) =>
    ringmasterErrors.CONFIG_INVALID(`ringmaster.toml:${line}: ${reason}`, { cause, details: { line } }),
  );
  return file === undefined ? defaultConfig : readConfig(file.values, file.lineOf);
}
