import { type Accounts, openAccounts, openAccountsKeyspace } from '@holdfast/accounts';
import { holdfastHome } from '@holdfast/base';
import { type CommandContext, commandLineErrors, type StandardInput } from '@holdfast/cli';

import { openAccountsEngine } from '../adapters/accounts-engine.ts';
import { locateDatabase } from '../adapters/databases.ts';

/** Opens the accounts for one command. Works while a server is running. Prints the keys of damaged records. */
export async function withAccounts<T>(
  { env, note }: Pick<CommandContext, 'env' | 'note'>,
  use: (accounts: Accounts) => Promise<T>,
): Promise<T> {
  const engine = await openAccountsEngine(locateDatabase('accounts', holdfastHome(env), env));
  const keyspace = await openAccountsKeyspace(engine);
  const unreadable = new Set<string>();
  const accounts = await openAccounts({ keyspace, onUnreadable: (key) => void unreadable.add(key) });
  try {
    return await use(accounts);
  } finally {
    for (const key of unreadable) {
      note(`Skipped: the value under ${key} is damaged. 'holdfast verify accounts --repair' restores it.`);
    }
    await accounts.settled();
    await keyspace.close({ processIsEnding: true });
  }
}

const PASSWORD_BYTES_MAX = 4_096;

/** Reads the password from a pipe or file only: other users could see an argument in the process list. */
export async function readPassword(stdin: StandardInput): Promise<string> {
  if (stdin.isTerminal) {
    throw commandLineErrors.MISSING_ARGUMENT('Pass the password on standard input', {
      hint: 'For example: holdfast user add ada < password.txt',
    });
  }
  const text = await stdin.text(PASSWORD_BYTES_MAX);
  return text.replace(/\r?\n$/, '');
}
