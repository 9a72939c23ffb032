/**
 * Methods and paths of the operations that other machines use, below `/api/ringmaster`. They are separate from the
 * routes, because `ringmaster run --server` uses them and must not load the server's code.
 */
const MACHINES = '/workspaces/{workspace}/machines';

export const machineAddresses = {
  claim: { method: 'POST', path: `${MACHINES}/claim` },
  heartbeat: { method: 'POST', path: `${MACHINES}/heartbeat` },
  output: { method: 'POST', path: `${MACHINES}/output` },
  finish: { method: 'POST', path: `${MACHINES}/finish` },
} as const;
