/**
 * Calls methods of the accounts service on a database. Reads one JSON line per call, with the method and its inputs,
 * from standard input, and prints how each call ended. Arguments: database.
 */
import { createInterface } from 'node:readline';

import { sqliteEngine } from '@holdfast/keyspace';

import { openAccounts, openAccountsKeyspace } from '../../src/index.ts';

interface Step {
  readonly method: 'login' | 'createUser' | 'redeemSetupLink';
  readonly inputs: readonly unknown[];
}

const keyspace = await openAccountsKeyspace(await sqliteEngine({ path: process.argv[2]! }));
const accounts = await openAccounts({ keyspace });
process.stdout.write('ready\n');
for await (const line of createInterface({ input: process.stdin })) {
  const { method, inputs } = JSON.parse(line) as Step;
  const act = accounts[method] as (input: unknown) => Promise<unknown>;
  const codes = [];
  for (const input of inputs) {
    codes.push(
      await act(input).then(
        () => 'done',
        (error: { code: string }) => error.code,
      ),
    );
  }
  process.stdout.write(`ended ${JSON.stringify(codes)}\n`);
}
await accounts.settled();
await keyspace.close();
