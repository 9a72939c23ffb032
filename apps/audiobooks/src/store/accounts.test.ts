import { join } from 'node:path';

import { openAccounts, openAccountsKeyspace } from '@holdfast/accounts';
import { rememberStore } from '@holdfast/base';
import { sqliteEngine } from '@holdfast/keyspace';
import { sharedServer } from '@holdfast/postgres/test-server';
import { expect, it, onTestFinished } from 'vitest';

import { temporaryFolder } from '../../test/audiobooks.ts';
import { openAudiobooks, storeLocation } from '../service/audiobooks.ts';

it('accounts are read from their file after only the records have moved to PostgreSQL', async () => {
  const home = temporaryFolder();
  const keyspace = await openAccountsKeyspace(await sqliteEngine({ path: join(home, 'accounts.db') }));
  const accounts = await openAccounts({ keyspace });
  await accounts.ensureOwner({ username: 'owner' });
  await keyspace.close();
  const address = `${(await sharedServer()).address()}?installation=${encodeURIComponent(home)}`;
  rememberStore(home, 'audiobooks', address);
  const audiobooks = await openAudiobooks(storeLocation(home, {}));
  onTestFinished(() => audiobooks.close());
  const { items } = await audiobooks.accounts.page({ limit: 5 });
  expect(items.map(({ username }) => username)).toEqual(['owner']);
});
