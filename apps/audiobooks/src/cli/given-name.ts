import { commandLineErrors } from '@holdfast/cli';
import { playlistName } from '../model/playlist.ts';

/** What a playlist is to be called, by the same rule as over HTTP. */
export function givenName(given: string): string {
  const parsed = playlistName.safeParse(given);
  if (parsed.success) return parsed.data;
  throw commandLineErrors.INVALID_ARGUMENT('The name of a playlist has 1 to 200 characters.');
}
