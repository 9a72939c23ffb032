import { canonicalDirectory, databaseOf } from '../adapters/files.ts';
import { skippedLines } from '../model/brief.ts';
import { type Np, openNp, type SessionTarget } from '../service/np.ts';
import type { TargetOptions } from './command.ts';

export interface NpContext {
  readonly options: TargetOptions;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly note: (text: string) => void;
}

/** Resolves the directory only when needed, because listing sessions must work in a deleted directory. */
export function targetOf(np: Np, { session, dir }: TargetOptions): SessionTarget {
  return {
    np,
    get where() {
      return session === undefined ? { directory: canonicalDirectory(dir) } : { sid: session };
    },
    get directory() {
      return canonicalDirectory(dir);
    },
  };
}

/** Opens the database for one command. Prints the keys of damaged values that reads left out. */
export async function withNp<T>(
  { options, env, note }: NpContext,
  use: (target: SessionTarget) => Promise<T>,
): Promise<T> {
  const unreadable = new Set<string>();
  const np = await openNp({ ...databaseOf(env), onUnreadable: (key) => void unreadable.add(key) });
  try {
    return await use(targetOf(np, options));
  } finally {
    for (const line of skippedLines(unreadable)) note(line);
    await np.close({ processIsEnding: true });
  }
}
