import { readdirSync, readFileSync } from 'node:fs';

import { systemErrorCode } from '@holdfast/base';

/** Every process of a run carries its name here, so that it can be found whatever became of its parents. */
export const RUN_VARIABLE = 'RINGMASTER_RUN';
/**
 * What a supervisor starts for itself, git above all, carries another one. It is never killed: it takes a moment, and git
 * would leave locks in the repository of the project.
 */
export const HELPER_VARIABLE = 'RINGMASTER_HELPER';

/** Sends a signal to all processes of a group. False when there is none left. */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-group, signal);
    return true;
  } catch (error) {
    if (systemErrorCode(error) === 'EPERM') return true;
    return false;
  }
}

/** Also finds processes that left their group. A zombie has no environment any more. Linux only. */
function processesWith(wanted: string, after = 0): number[] {
  return allProcesses().filter((pid) => {
    if (pid === process.pid || pid < after) return false;
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'latin1');
      return environment.startsWith(wanted) || environment.includes(`\0${wanted}`);
    } catch {
      // It has ended, or is somebody else's.
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
 * At once and without asking: for what nobody waits for any more. Returns how many there were. With the number of the
 * first process of the run, only those that were started after it are looked at, which saves most of the time.
 */
export function killRun(prefix: string, first = 0): number {
  let killed = 0;
  const after = first > newestProcess() ? 0 : first;
  // What is killed may just have started something, so it is looked again until nothing is found.
  for (let round = 0; round < 20; round++) {
    const found = processesWith(`${RUN_VARIABLE}=${prefix}`, after);
    if (found.length === 0) break;
    for (const pid of found) {
      try {
        process.kill(pid, 'SIGKILL');
        killed += 1;
      } catch {
        // It was faster.
      }
    }
  }
  return killed;
}

export function hasHelpers(supervisorId: string): boolean {
  return processesWith(`${HELPER_VARIABLE}=${supervisorId}\0`).length > 0;
}

/** Numbers are given in order until there are no more, and then from the beginning. */
function newestProcess(): number {
  try {
    return Number(readFileSync('/proc/loadavg', 'utf8').trim().split(' ').at(-1));
  } catch {
    return 0;
  }
}
