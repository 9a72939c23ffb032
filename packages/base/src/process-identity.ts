import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Identifies one process uniquely; a bare pid may be reused. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly start: string | null;
  readonly boot: string | null;
}

const ended: ReadonlySet<string> = new Set(['Z', 'X', 'x']);
const stopped: ReadonlySet<string> = new Set(['T', 't']);

export function identityOf(pid: number, table: ProcessTable = processTable): ProcessIdentity {
  return { pid, start: table.find(pid)?.start ?? null, boot: table.boot() };
}

/** Returns whether this exact process is running: false for stopped (SIGSTOP) and zombie processes. */
export function isWorking(identity: ProcessIdentity, table: ProcessTable = processTable): boolean {
  const state = stateOf(identity, table);
  return state !== undefined && !ended.has(state) && !stopped.has(state);
}

/** Returns whether this exact process may run again: true for stopped processes, false for zombies. */
export function isAlive(identity: ProcessIdentity, table: ProcessTable = processTable): boolean {
  const state = stateOf(identity, table);
  return state !== undefined && !ended.has(state);
}

/** Returns whether any member of a process group may still run. The kernel's own check would also count zombies. */
export function isGroupAlive(group: number, table: ProcessTable = processTable): boolean {
  return table.all().some((entry) => entry.group === group && !ended.has(entry.state));
}

function stateOf({ pid, start, boot }: ProcessIdentity, table: ProcessTable): string | undefined {
  if (boot !== table.boot()) return undefined;
  const found = table.find(pid);
  return start === null || found?.start === start ? found?.state : undefined;
}

interface ProcessEntry {
  /** State as one letter: `T` is stopped, `Z` is a zombie, in /proc and in `ps`. */
  readonly state: string;
  readonly start: string;
  readonly group: number;
}

/** Processes as the operating system reports them. */
interface ProcessTable {
  /** Id of the current boot. Null on systems where `start` is a date, because a date differs after a reboot anyway. */
  readonly boot: () => string | null;
  readonly find: (pid: number) => ProcessEntry | undefined;
  readonly all: () => readonly ProcessEntry[];
}

/** Linux: `start` counts clock ticks since the boot. */
export const procTable: ProcessTable = {
  boot: () => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(),
  find: readStat,
  all: () => readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (readStat(name) ?? []) : [])),
};

/** macOS and other systems without /proc. */
export const psTable: ProcessTable = {
  boot: () => null,
  find: (pid) => listWithPs(['-p', String(pid)])[0],
  all: () => listWithPs(['-A']),
};

const processTable = existsSync('/proc/self/stat') ? procTable : psTable;

/** Parses fields 3, 5 and 22 of /proc/PID/stat; field 2 is a name in parentheses that may contain anything. */
function readStat(pid: number | string): ProcessEntry | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', group: Number(fields[2]), start: fields[19] ?? '' };
  } catch {
    return undefined;
  }
}

function listWithPs(selection: readonly string[]): ProcessEntry[] {
  const args = [...selection, '-o', 'state=', '-o', 'pgid=', '-o', 'lstart='];
  // `lstart` is printed in the local time zone, which may change while a process runs.
  const env = { PATH: process.env['PATH'] ?? '', LC_ALL: 'C', TZ: 'UTC' };
  const { error, stdout, stderr } = spawnSync('ps', args, { encoding: 'utf8', env });
  // Throws if `ps` fails: if live processes counted as dead, two owners could work at once. For a process that does not
  // exist, `ps` writes nothing to standard error.
  if (error !== undefined) throw error;
  if (stderr !== '') throw new Error(`ps failed: ${stderr.trim()}`);
  return stdout.split('\n').flatMap((line) => {
    const [, state = '', group, start = ''] = /^(\S)\S*\s+(\d+)\s+(\S.*?)\s*$/.exec(line) ?? [];
    return state === '' ? [] : { state, group: Number(group), start };
  });
}
