/** V8's compiled code, kept beside the files it was compiled from, made by using the command once. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const TIMEOUT_MS = 30_000;

const cacheSuffix = `.${process.versions.v8}-${process.arch}.cache`;

export function hasCodeCache(library, outputs) {
  return existsSync(join(library, outputs[0].name + cacheSuffix));
}

/** Every run starts with the cache of the run before, so that the last one has the code of all. */
export function makeCodeCache(command, library) {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-warm-up-'));
  const env = { PATH: process.env.PATH, HOME: folder, HOLDFAST_HOME: join(folder, 'home'), NO_COLOR: '1' };
  try {
    for (const words of [['--version'], ...command.warmUp]) {
      spawnSync(process.execPath, [join(library, 'warm-up.cjs'), ...words], { cwd: folder, env, timeout: TIMEOUT_MS });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
