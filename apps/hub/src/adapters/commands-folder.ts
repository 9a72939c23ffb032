import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

/** One of the commands that are built beside this one. */
const ANOTHER = 'np';

/** Where the other commands are, if a shell would not find them: after `npm start` they are built, and nothing more. */
export function commandsFolder(program: string, path: string): string | undefined {
  const isFound = path.split(delimiter).some((folder) => folder !== '' && existsSync(join(folder, ANOTHER)));
  const beside = dirname(program);
  return !isFound && existsSync(join(beside, ANOTHER)) ? beside : undefined;
}
