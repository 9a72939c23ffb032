import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** Returns the data home: HOLDFAST_HOME, else $XDG_DATA_HOME/holdfast, else ~/.local/share/holdfast. */
export function holdfastHome(env: Readonly<Record<string, string | undefined>>): string {
  const chosen = env['HOLDFAST_HOME'];
  if (chosen !== undefined && chosen !== '') return resolve(chosen);
  const data = env['XDG_DATA_HOME'];
  // The XDG specification requires absolute paths; programs must ignore others.
  if (data !== undefined && data.startsWith('/')) return join(data, 'holdfast');
  return join(env['HOME'] ?? homedir(), '.local', 'share', 'holdfast');
}
