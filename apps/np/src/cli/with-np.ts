import { commandLine } from '../adapters/command-line.ts';
import { canonicalDirectory } from '../adapters/directory.ts';
import { databasePath } from '../adapters/place.ts';
import { type Call, type Np, openNp } from '../service/np.ts';

export interface NpContext {
  readonly options: { readonly session?: string | undefined; readonly dir?: string | undefined };
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Opens the database for one command, and says for whom it works. */
export async function withNp<T>(context: NpContext, body: (np: Np, call: Call) => Promise<T>): Promise<T> {
  const np = await openNp({ path: databasePath(context.env) });
  try {
    const call = {
      // When it is asked for: lists are also shown in a directory that is gone.
      get where() {
        return whereOf(context.options);
      },
      cmd: commandLine('np'),
    };
    return await body(np, call);
  } finally {
    await np.close({ processIsEnding: true });
  }
}

export function whereOf({ session, dir }: NpContext['options']): Call['where'] {
  return session === undefined ? { directory: canonicalDirectory(dir) } : { sid: session };
}
