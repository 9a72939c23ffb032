import { type Completer, commandsFor, type CommandContext } from '@holdfast/cli';
import type { Audiobooks } from '../service/audiobooks.ts';

/** Binds operations to commands. Commands about listening take the account from `--user`. */
export const command = commandsFor<Audiobooks>({
  shared: {},
  open: async () => (await import('./with-audiobooks.ts')).withAudiobooks,
  caller: ({ options }) => (typeof options['user'] === 'string' ? { userId: options['user'] } : {}),
});

export const userOption = {
  user: { type: 'string', summary: 'Act for this user; required if several users have listened to books', value: 'id' },
} as const;

export const completeBook: Completer = async () => ({ complete: (await import('./complete.ts')).completeBook });
export const completePlaylist: Completer = async () => ({
  complete: (await import('./complete.ts')).completePlaylist,
});

export function noteMore({ note }: Pick<CommandContext, 'note'>, cursor: string | null): void {
  if (cursor !== null) note(`More results: add --cursor ${cursor}`);
}
