/**
 * `npm start`: from a fresh clone to a running Holdfast. Installs dependencies if needed, builds what changed, and
 * starts the server with embedded defaults; passes arguments to `holdfast serve`.
 */
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { repositoryFolder } from './provision/folders.mjs';
import { installReason, stampInstall } from './runner/install.mjs';

const holdfast = join(repositoryFolder, 'dist', 'bin', 'holdfast');

function must(program, args) {
  // Standard output belongs to the server: `npm start -- --json` must print nothing else.
  const { status } = spawnSync(program, args, {
    cwd: repositoryFolder,
    stdio: ['ignore', process.stderr, process.stderr],
  });
  if (status !== 0) process.exit(status ?? 1);
}

function become(args) {
  const child = spawn(process.execPath, [holdfast, ...args], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('close', (code, signal) => process.exit(code ?? (signal === null ? 1 : 0)));
}

if (installReason(repositoryFolder) !== undefined) {
  must('npm', ['ci', '--no-audit', '--no-fund']);
  stampInstall(repositoryFolder);
}
must(process.execPath, ['scripts/build.mjs']);
const { status: hasServer } = spawnSync(process.execPath, [holdfast, 'serve', '--help'], { stdio: 'ignore' });
become(hasServer === 0 ? ['serve', ...process.argv.slice(2)] : ['--help']);
