import { readFileSync } from 'node:fs';

/**
 * Which process, exactly. A number alone is used again after a while, and by everybody after a reboot; with the time at
 * which it started and the boot, it is one process for ever.
 */
export interface ProcessIdentity {
  readonly pid: number;
  readonly start: string | null;
  readonly boot: string | null;
}

export function identityOf(pid: number): ProcessIdentity {
  return { pid, start: statOf(pid)?.start ?? null, boot: bootId() };
}

/** Whether that very process is running. One that was stopped (SIGSTOP) or is a zombie does no work. */
export function isWorking(identity: ProcessIdentity): boolean {
  return hasState(identity, (state) => !['T', 't', 'Z', 'X', 'x'].includes(state));
}

/** Whether that very process may ever do something again: one that was stopped may be let go on. */
export function isAlive(identity: ProcessIdentity): boolean {
  return hasState(identity, (state) => !['Z', 'X', 'x'].includes(state));
}

function hasState({ pid, start, boot }: ProcessIdentity, isWanted: (state: string) => boolean): boolean {
  if (boot !== bootId()) return false;
  const found = statOf(pid);
  return found !== undefined && (start === null || found.start === start) && isWanted(found.state);
}

function bootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return null;
  }
}

/** Field 3 is the state, field 22 the start; field 2 is a name in brackets that may contain anything. */
function statOf(pid: number): { readonly state: string; readonly start: string } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', start: fields[19] ?? '' };
  } catch {
    return undefined;
  }
}
