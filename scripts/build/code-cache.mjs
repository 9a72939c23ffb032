/** V8's code cache, stored next to the compiled files and created by running the command. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Script } from 'node:vm';

const TIMEOUT_MS = 30_000;

const cacheSuffix = `.${process.versions.v8}-${process.arch}.cache`;

export function hasCodeCache(library, outputs) {
  return existsSync(join(library, outputs[0].name + cacheSuffix));
}

/** Every run starts with the cache of the previous one, so the last cache contains the code of all runs. */
export function makeCodeCache(command, library, files) {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-warm-up-'));
  const env = { PATH: process.env.PATH, HOME: folder, HOLDFAST_HOME: join(folder, 'home'), NO_COLOR: '1' };
  try {
    for (const words of [['--version'], ...command.warmUp]) {
      spawnSync(process.execPath, [join(library, 'warm-up.cjs'), ...words], { cwd: folder, env, timeout: TIMEOUT_MS });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  for (const { name } of files) removeIfRefused(join(library, name));
}

/** Removes a cache that V8 rejects, because it would only slow down every start. */
function removeIfRefused(path) {
  if (!existsSync(path + cacheSuffix)) return;
  const cachedData = readFileSync(path + cacheSuffix);
  const source = readFileSync(path, path.endsWith('.utf8.cjs') ? 'utf8' : 'latin1');
  const { cachedDataRejected } = new Script(source, { cachedData });
  if (cachedDataRejected !== true) return;
  rmSync(path + cacheSuffix);
  process.stderr.write(`V8 refuses the code cache of ${path}: does the command change V8's flags?\n`);
}
