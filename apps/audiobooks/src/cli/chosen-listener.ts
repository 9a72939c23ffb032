import { commandLineErrors } from '@holdfast/cli';
import type { Audiobooks } from '../service/audiobooks.ts';
import { type Listener, localListener } from '../service/listening/listener.ts';
import { listeningUsers } from '../service/statistics/listening-users.ts';

/** Whoever is named, or the only one who ever listened. */
export async function chosenListener(audiobooks: Audiobooks, user: string | undefined): Promise<Listener> {
  if (user !== undefined) return localListener(user);
  const known: string[] = [];
  for await (const id of listeningUsers(audiobooks)) known.push(id);
  const [only, ...others] = known;
  if (others.length > 0) {
    throw commandLineErrors.MISSING_ARGUMENT('Several people listen here: say whose with --user ID.', {
      hint: "'holdfast audiobooks stats' lists them.",
    });
  }
  return localListener(only ?? '-');
}
