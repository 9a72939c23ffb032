/**
 * Method and path of the operations for other machines, below `/api/ringmaster`. Separate from the routes, because
 * `ringmaster run --server` must not load a server.
 */
const MACHINES = '/workspaces/{workspace}/machines';

export const machineAddresses = {
  claim: { method: 'POST', path: `${MACHINES}/claim` },
  heartbeat: { method: 'POST', path: `${MACHINES}/heartbeat` },
  output: { method: 'POST', path: `${MACHINES}/output` },
  finish: { method: 'POST', path: `${MACHINES}/finish` },
} as const;
