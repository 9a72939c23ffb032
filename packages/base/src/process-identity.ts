import { type ProcessTable, processTable } from './process-table.ts';

/** Identifies one process for ever; a bare pid is reused. */
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

/** Returns whether a process group has a member that may run. The kernel also counts zombies. */
export function isGroupAlive(group: number, table: ProcessTable = processTable): boolean {
  return table.all().some((entry) => entry.group === group && !ended.has(entry.state));
}

function stateOf({ pid, start, boot }: ProcessIdentity, table: ProcessTable): string | undefined {
  if (boot !== table.boot()) return undefined;
  const found = table.find(pid);
  return start === null || found?.start === start ? found?.state : undefined;
}
