import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

/** A command that every build puts into the same folder as `holdfast`. */
const ANOTHER = 'np';

/**
 * Returns the folder that contains the commands if it is not in the PATH: `npm start` builds commands without
 * installing them.
 */
export function commandsFolder(program: string, path: string): string | undefined {
  const isFound = path.split(delimiter).some((folder) => folder !== '' && existsSync(join(folder, ANOTHER)));
  const beside = dirname(program);
  return !isFound && existsSync(join(beside, ANOTHER)) ? beside : undefined;
}

/**
 * Returns the path of another command in this installation. If the file is missing, returns only the name, which the
 * PATH resolves.
 */
export function commandBeside(name: string): string {
  const path = join(dirname(realpathSync(process.argv[1] ?? '.')), name);
  return existsSync(path) ? path : name;
}
