import { boolean, object, text } from '@holdfast/operation';
import { defineOperation, MANAGE } from './fields.ts';

const clients = object({
  enabled: boolean(),
  path: text('Path to append to the server address that you enter in an app'),
});
const absent = { mcp: 'Only people manage access' } as const;

export const showClients = defineOperation({
  name: 'clients.show',
  summary: 'Show whether Audiobookshelf clients can connect',
  permission: MANAGE,
  input: {},
  output: clients,
  absent,
  run: async () => (await import('../service/audiobookshelf/clients.ts')).showClients,
});

export const enableClients = defineOperation({
  name: 'clients.enable',
  summary: 'Let Audiobookshelf clients connect to this server',
  permission: MANAGE,
  input: {},
  output: clients,
  absent,
  run: async () => (await import('../service/audiobookshelf/clients.ts')).enableClients,
});

export const disableClients = defineOperation({
  name: 'clients.disable',
  summary: 'Stop Audiobookshelf clients from connecting; keep their sign-ins and ids for later',
  permission: MANAGE,
  input: {},
  output: clients,
  absent,
  run: async () => (await import('../service/audiobookshelf/clients.ts')).disableClients,
});
