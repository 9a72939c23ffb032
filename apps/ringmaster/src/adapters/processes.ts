import { readdirSync, readFileSync } from 'node:fs';

import { systemErrorCode } from '@holdfast/base';

/** Environment variable with the run's name, by which all its processes are found even without their parents. */
export const RUN_VARIABLE = 'RINGMASTER_RUN';
/**
 * Marks helpers of the supervisor itself, mainly git. They are not killed: they end soon, and a killed git leaves locks
 * behind.
 */
export const HELPER_VARIABLE = 'RINGMASTER_HELPER';

/** Signals a process group; false if it is gone. */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-group, signal);
    return true;
  } catch (error) {
    if (systemErrorCode(error) === 'EPERM') return true;
    return false;
  }
}

/** Also finds processes that left their group. Zombies have no environment. Linux only. */
function processesWith(wanted: string, after = 0): number[] {
  return allProcesses().filter((pid) => {
    if (pid === process.pid || pid < after) return false;
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'latin1');
      return environment.startsWith(wanted) || environment.includes(`\0${wanted}`);
    } catch {
      // It has ended, or belongs to another user.
      return false;
    }
  });
}

function allProcesses(): number[] {
  try {
    return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  } catch {
    return [];
  }
}

/**
 * Kills all processes of a run and returns how many. With the run's first pid, checks only processes started after it,
 * which saves most of the time.
 */
export function killRun(prefix: string, first = 0): number {
  let killed = 0;
  const after = first > newestProcess() ? 0 : first;
  // A process may have started another just before it was killed, so search until none is left.
  for (let round = 0; round < 20; round++) {
    const found = processesWith(`${RUN_VARIABLE}=${prefix}`, after);
    if (found.length === 0) break;
    for (const pid of found) {
      try {
        process.kill(pid, 'SIGKILL');
        killed += 1;
      } catch {
        // It ended meanwhile.
      }
    }
  }
  return killed;
}

export function hasHelpers(supervisorId: string): boolean {
  return processesWith(`${HELPER_VARIABLE}=${supervisorId}\0`).length > 0;
}

/** Pids are assigned in order and wrap around. */
function newestProcess(): number {
  try {
    return Number(readFileSync('/proc/loadavg', 'utf8').trim().split(' ').at(-1));
  } catch {
    return 0;
  }
}
