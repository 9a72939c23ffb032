import type { DatabaseName, Databases } from '../adapters/databases.ts';

export interface DatabaseState {
  readonly name: DatabaseName;
  readonly kind: 'keyspace' | 'tables' | null;
  readonly revision: number | null;
  /** The earliest state that can be restored from the journal. */
  readonly oldest_restorable: number | null;
  readonly last_commit_at: string | null;
  readonly bytes: number;
  readonly log_bytes: number;
  /** Why it cannot be used right now. */
  readonly problem: { readonly code: string; readonly message: string } | null;
}

export async function describeDatabases(databases: Databases): Promise<readonly DatabaseState[]> {
  return Promise.all(databases.names().map((name) => describe(databases, name)));
}

async function describe(databases: Databases, name: DatabaseName): Promise<DatabaseState> {
  const { bytes, logBytes } = databases.sizes(name);
  const sizes = { bytes, log_bytes: logBytes };
  try {
    const database = await databases.get(name);
    const revision = database.revision();
    const last = revision === 0 ? undefined : database.changes(revision - 1, 1)[0];
    return {
      name,
      kind: database.kind,
      revision,
      oldest_restorable: Math.max(0, database.oldestRevision() - 1),
      last_commit_at: last === undefined ? null : new Date(last.at).toISOString(),
      ...sizes,
      problem: null,
    };
  } catch (error) {
    const { code = 'INTERNAL', message } = error as Error & { readonly code?: string };
    return {
      name,
      kind: null,
      revision: null,
      oldest_restorable: null,
      last_commit_at: null,
      ...sizes,
      problem: { code, message },
    };
  }
}
