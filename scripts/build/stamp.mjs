/** Records the inputs of a build, so unchanged commands are not built again. */
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { version as esbuildVersion } from 'esbuild';
import { root } from './commands.mjs';
import { hashOf, writeAtomically } from './files.mjs';

const STAMP = 'build.json';
/** A running command may still load its old parts, so they stay for a while. */
const KEPT_MS = 60 * 60 * 1000;

export function readStamp(library) {
  try {
    return JSON.parse(readFileSync(join(library, STAMP), 'utf8'));
  } catch {
    return undefined;
  }
}

export function writeStamp(library, { command, inputs, outputs }) {
  const hashes = Object.fromEntries(inputs.filter(isFile).map((path) => [path, hashOfFile(path)]));
  const stamp = { entry: command.entry, builder: builderHash(), inputs: hashes, outputs };
  writeAtomically(join(library, STAMP), `${JSON.stringify(stamp, null, 1)}\n`);
}

export function isUnchanged(stamp, command, out) {
  // The builder is compared first, because stamps from older build scripts may have other fields.
  if (stamp.builder !== builderHash()) return false;
  const library = join(out, 'lib', command.name);
  const outputs = [join(out, 'bin', command.name), ...stamp.outputs.map(({ name }) => join(library, name))];
  return (
    stamp.entry === command.entry &&
    outputs.every((path) => existsSync(path)) &&
    Object.entries(stamp.inputs).every(([path, hash]) => hashOfFile(path) === hash)
  );
}

/** Removes outputs of earlier builds that are older than `keptMs`. */
export function prune(library, outputs, keptMs = KEPT_MS) {
  const current = outputs.map(({ name }) => name);
  for (const name of readdirSync(library)) {
    const isOurs = /-[0-9a-f]{16}(?:\.utf8)?\.cjs|-[0-9A-Z]{8}\.(?:bridge\.)?mjs|\.tmp$/u.test(name);
    const isCurrent = current.some((output) => name.startsWith(output));
    const path = join(library, name);
    if (isOurs && !isCurrent && Date.now() - statSync(path).mtimeMs > keptMs) rmSync(path, { force: true });
  }
}

function builderHash() {
  const folder = join(root, 'scripts/build');
  const sources = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  return hashOf([esbuildVersion, ...sources].join('\0'));
}

/** Returns false for inputs that are not files: plugins' virtual modules and the bundler's runtime. */
function isFile(input) {
  return !input.includes(':');
}

function hashOfFile(path) {
  try {
    return hashOf(readFileSync(resolve(root, path)));
  } catch {
    return 'missing';
  }
}
