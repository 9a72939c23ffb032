import { engineConformance } from '@holdfast/keyspace/conformance';

import { sharedServer } from '../test/server.ts';
import { postgresEngine } from './engine.ts';

const run = `${process.pid}-${Date.now()}`;

engineConformance('the PostgreSQL engine', {
  open: async (store) => postgresEngine({ address: (await sharedServer()).address(), space: `${run}-${store}` }),
});
