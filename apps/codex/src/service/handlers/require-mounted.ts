import { unmountedDisks, diskUnmounted, isOnUnmountedDisk } from '../../watch/disks.ts';
import type { Work } from './handler.ts';

/** Throws while a path is on a disk that is not mounted; the operation is retried until the disk is back. */
export function requireMounted({ reader, notebook, deviceOf }: Work, ...paths: readonly (string | null)[]): void {
  const away = unmountedDisks(reader, notebook, deviceOf);
  if (paths.some((path) => path !== null && isOnUnmountedDisk(path, true, away))) throw diskUnmounted(notebook, away);
}
