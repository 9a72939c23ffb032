import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { gitFailed, keepStderr, startGit } from '@holdfast/git';

import type { Repository } from './git-repository.ts';

/**
 * Gives a stream to `git fast-import` and returns the ids of the commits it made. Their branch is one of ours that is
 * looked at by nobody, so nothing the user sees has changed yet.
 */
export async function importCommits(
  { root, gitDir }: Repository,
  stream: AsyncIterable<Uint8Array>,
): Promise<readonly string[]> {
  const args = ['fast-import', '--quiet', '--force', '--done', '--cat-blob-fd=1', '--date-format=raw'];
  const child = startGit(args, { folder: root });
  const stderr = keepStderr(child);
  const closed = once(child, 'close') as Promise<[number | null]>;
  // Awaited below; a failure in between must not be an unhandled one.
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
    // Without `done` it makes no commit.
    child.kill('SIGKILL');
    await closed;
    throw error;
  }
  const [code] = await closed;
  if (code !== 0) {
    // Its crash report is meant for developers of git.
    rmSync(join(gitDir, `fast_import_crash_${child.pid}`), { force: true });
    throw gitFailed(args, code, stderr());
  }
  return stdout.trim().split('\n');
}
