/**
 * Variables of the supervisor that its workers must not inherit: the address of the store can contain a password, and a
 * token belongs to the claim of another worker.
 */
const withheld: ReadonlySet<string> = new Set(['HOLDFAST_STORE', 'RINGMASTER_TOKEN']);

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the environment that workers inherit from the supervisor. */
export function workerEnvironment(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !withheld.has(name)));
}
