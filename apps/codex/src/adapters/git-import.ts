import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { gitFailed, keepStderr, startGit } from '@holdfast/git';

import type { Repository } from './git-repository.ts';

/**
 * Runs `git fast-import` and returns the ids of its commits. They are on a temporary branch, so the user sees no change
 * yet.
 */
export async function importCommits(
  { root, gitDir }: Repository,
  stream: AsyncIterable<Uint8Array>,
): Promise<readonly string[]> {
  const args = ['fast-import', '--quiet', '--force', '--done', '--cat-blob-fd=1', '--date-format=raw'];
  const child = startGit(args, { folder: root });
  const stderr = keepStderr(child);
  const closed = once(child, 'close') as Promise<[number | null]>;
  // Awaited below; prevents an unhandled rejection until then.
  closed.catch(() => undefined);
  let stdout = '';
  child.stdout?.setEncoding('latin1').on('data', (text: string) => (stdout += text));
  const { stdin } = child;
  stdin?.on('error', () => undefined);
  try {
    for await (const chunk of stream) {
      if (stdin === null || stdin.destroyed || child.exitCode !== null) break;
      if (!stdin.write(chunk)) await Promise.race([once(stdin, 'drain'), closed]);
    }
    stdin?.end();
  } catch (error) {
    // Without `done` git makes no commit.
    child.kill('SIGKILL');
    await closed;
    throw error;
  }
  const [code] = await closed;
  if (code !== 0) {
    // The crash report is meant for git developers.
    rmSync(join(gitDir, `fast_import_crash_${child.pid}`), { force: true });
    throw gitFailed(args, code, stderr());
  }
  return stdout.trim().split('\n');
}
