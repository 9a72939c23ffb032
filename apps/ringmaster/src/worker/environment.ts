/**
 * Variables of the supervisor that its workers must not inherit: the address of the store can contain a password,
 * tokens for a server or a git remote can have all rights of their user, and ringmaster's token belongs to another
 * worker's claim. `RINGMASTER_SETTINGS` applies only to the supervisor itself.
 */
const withheld: ReadonlySet<string> = new Set([
  'HOLDFAST_STORE',
  'HOLDFAST_TOKEN',
  'RINGMASTER_GIT_TOKEN',
  'RINGMASTER_SETTINGS',
  'RINGMASTER_TOKEN',
]);

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the environment variables that workers inherit from the supervisor. */
export function workerEnvironment(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !withheld.has(name)));
}
