/** Finds components without running programs, so the check takes milliseconds. */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { selectComponents } from './components.mjs';
import { withServers } from './environment.mjs';
import { provisionFolder } from './folders.mjs';

export function currentPlaces(environment = process.env) {
  return { path: withServers(environment['PATH'] ?? ''), folder: provisionFolder(environment) };
}

function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

export function findOnPath(binary, path) {
  return path
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, binary))
    .find(isProgram);
}

export function locate(component, { path, folder }) {
  if (component.npmFolder !== undefined) {
    const program = join(folder, component.npmFolder, 'node_modules', component.npmProgram);
    return isProgram(program) ? program : undefined;
  }
  const unpacked = join(folder, 'bin', component.binary);
  if (isProgram(unpacked)) return unpacked;
  if (component.header !== undefined && !existsSync(component.header)) return undefined;
  return findOnPath(component.binary, path);
}

/** Returns the path of a program that is not on PATH, for example another version of Node. */
export function programPath(name, environment = process.env) {
  const [component] = selectComponents([name]);
  const found = component === undefined ? undefined : locate(component, currentPlaces(environment));
  if (found === undefined) throw new Error(`${name} is missing: run \`node scripts/provision.mjs ${name}\``);
  return found;
}
