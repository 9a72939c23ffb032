import { type ProcessTable, processTable } from './process-table.ts';

/** Identifies one process for ever: a bare number is reused after a while and after each reboot. */
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

/** Whether this very process is running now: false for one that was stopped (SIGSTOP) and for a zombie. */
export function isWorking(identity: ProcessIdentity, table: ProcessTable = processTable): boolean {
  const state = stateOf(identity, table);
  return state !== undefined && !ended.has(state) && !stopped.has(state);
}

/** Whether this very process may ever run again: true for one that was stopped, false for a zombie. */
export function isAlive(identity: ProcessIdentity, table: ProcessTable = processTable): boolean {
  const state = stateOf(identity, table);
  return state !== undefined && !ended.has(state);
}

/** Whether a process group has a member that may run. The kernel also counts zombies as members. */
export function isGroupAlive(group: number, table: ProcessTable = processTable): boolean {
  return table.all().some((entry) => entry.group === group && !ended.has(entry.state));
}

function stateOf({ pid, start, boot }: ProcessIdentity, table: ProcessTable): string | undefined {
  if (boot !== table.boot()) return undefined;
  const found = table.find(pid);
  return start === null || found?.start === start ? found?.state : undefined;
}
