import { holdfastHome } from '@holdfast/base';
import { type Audiobooks, keyPath as keyPathIn, openAudiobooks, storeLocation } from '../service/audiobooks.ts';
import { recoverInterrupted } from '../service/recoverers.ts';
import { openOperations } from '../store/operations.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface LibraryContext {
  readonly env: Environment;
}

/** Opens the database for one command, after settling operations whose process died. */
export async function withLibrary<T>(
  { env }: LibraryContext,
  body: (audiobooks: Audiobooks) => Promise<T>,
): Promise<T> {
  const audiobooks = await openAudiobooks(storeLocation(holdfastHome(env), env));
  try {
    if ((await openOperations(audiobooks.store)).length > 0) await recoverInterrupted(audiobooks);
    return await body(audiobooks);
  } finally {
    await audiobooks.close({ processIsEnding: true });
  }
}

export function keyPath(env: Environment): string {
  return keyPathIn(holdfastHome(env), env);
}

/** The local user, for the record. */
export function personOf(env: Environment): string {
  return env['USER'] ?? env['LOGNAME'] ?? 'command';
}
