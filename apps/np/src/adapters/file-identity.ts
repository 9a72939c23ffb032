import { statSync } from 'node:fs';

/** Tells a file from another that was put in its place; undefined when there is none. */
export function fileIdentity(path: string): string | undefined {
  const status = statSync(path, { bigint: true, throwIfNoEntry: false });
  return status === undefined ? undefined : `${status.dev}:${status.ino}`;
}
