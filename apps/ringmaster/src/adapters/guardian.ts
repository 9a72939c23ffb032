import { spawn } from 'node:child_process';

import { HELPER_VARIABLE, RUN_VARIABLE } from './processes.ts';

/** Waits for the supervisor to end and then kills its processes, so workers do not outlive a killed supervisor. */
export interface Guardian {
  readonly dismiss: () => void;
}

export function startGuardian(supervisorId: string): Guardian {
  const environment = { ...process.env };
  // It must not kill itself, nor be killed by an outer supervisor before it has done its work.
  delete environment[RUN_VARIABLE];
  delete environment[HELPER_VARIABLE];
  process.env[HELPER_VARIABLE] = supervisorId;
  const child = spawn(process.execPath, ['-e', program(`${RUN_VARIABLE}=${supervisorId}.`)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: environment,
  });
  child.on('error', () => undefined);
  child.stdin.on('error', () => undefined);
  child.unref();
  return { dismiss: () => child.stdin.end() };
}

/** Source text, because a bundled command has no second file to start. */
function program(wanted: string): string {
  return `const fs = require('node:fs');
const found = () => fs.readdirSync('/proc').filter((name) => {
  if (!/^[0-9]+$/.test(name) || Number(name) === process.pid) return false;
  try {
    return ('\\0' + fs.readFileSync('/proc/' + name + '/environ', 'latin1')).includes('\\0' + ${JSON.stringify(wanted)});
  } catch { return false; }
});
const end = () => {
  for (let round = 0; round < 100; round++) {
    const left = found();
    if (left.length === 0) break;
    for (const pid of left) try { process.kill(Number(pid), 'SIGKILL'); } catch {}
  }
  process.exit();
};
process.stdin.on('end', end).on('error', end).on('close', end).resume();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => {});`;
}
