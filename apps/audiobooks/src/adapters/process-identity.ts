import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * Which process this is, in a way that outlives it: numbers of processes are given out again, so the moment it was
 * started belongs to it. `host/pid/start`.
 */
export function processIdentity(pid: number = process.pid): string {
  return `${hostname()}/${pid}/${startOf(pid) ?? 'unknown'}`;
}

/** Undefined when it cannot be told, for example because it runs on another machine. */
export function isProcessAlive(identity: string): boolean | undefined {
  const [host, pid, start] = identity.split('/');
  if (host !== hostname() || start === 'unknown') return undefined;
  return startOf(Number(pid)) === start;
}

/** Field 22 of /proc/PID/stat. The name in field 2 may contain anything, so counting begins behind it. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}
