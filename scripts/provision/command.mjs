import { spawnSync } from 'node:child_process';

const limitMs = 20 * 60_000;
const outputLimitBytes = 64 * 1024 * 1024;

/** Shows output only after a failure: package managers print hundreds of lines. */
export function runCommand([program = '', ...args]) {
  const { status, error, stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: limitMs,
    maxBuffer: outputLimitBytes,
    // In run level 1, Debian packages do not start their services when they are installed.
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
  });
  if (status !== 0) throw new Error(`${program} failed\n${stdout ?? ''}${stderr ?? ''}${error?.message ?? ''}`);
}
