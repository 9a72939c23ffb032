import type { Clock } from '@holdfast/base';

import { isAutoCrlf } from '../adapters/git-content.ts';
import { removeLeftovers } from '../adapters/git-locks.ts';
import { GitObjects, TreeCache } from '../adapters/git-objects.ts';
import { configuredUser, openRepository, type Repository } from '../adapters/git-repository.ts';
import type { ProblemReporter } from '../model/failure.ts';
import { codexIdentity, formatIdentity, type Identity, parseIdentity } from '../model/git.ts';
import type { Settings } from '../model/settings.ts';
import type { Store } from '../store/open.ts';
import { IndexGuard } from './index-guard.ts';

export interface NotebookRepository {
  readonly repository: Repository;
  readonly objects: GitObjects;
  readonly trees: TreeCache;
  readonly guard: IndexGuard;
  /** The user in the git configuration: author of changes that codex found but did not make. */
  readonly user: Identity;
  readonly isAutoCrlf: boolean;
  close(): void;
}

/** Calls `onGuarded` each time the index guard has ended its watch, see `IndexGuard`. */
export async function openNotebookRepository(
  folder: string,
  onGuarded: () => void = () => undefined,
): Promise<NotebookRepository> {
  const repository = await openRepository(folder);
  await removeLeftovers(repository);
  const objects = new GitObjects(repository.root);
  const guard = new IndexGuard(repository, objects, onGuarded);
  return {
    repository,
    objects,
    trees: new TreeCache(objects, repository.oidBytes),
    guard,
    user: await authorOf(repository),
    isAutoCrlf: await isAutoCrlf(repository.root),
    close() {
      guard.close();
      objects.close();
    },
  };
}

/** A repository's own settings can contain line breaks, which must not reach the stream for `git fast-import`. */
async function authorOf({ root }: Repository): Promise<Identity> {
  const user = await configuredUser(root);
  return user === undefined ? codexIdentity : parseIdentity(formatIdentity(user));
}

export interface GitContext {
  readonly store: Store;
  readonly settings: Settings;
  readonly clock: Clock;
  /** Returns a number from 0 up to, but not including, 1. */
  readonly random: () => number;
  readonly problems: ProblemReporter;
}

export interface BatchContext extends GitContext {
  readonly notebookId: number;
  readonly opened: NotebookRepository;
  /** Tip of the branch after the last batch. */
  readonly lastSeen: string | undefined;
  /** The caller's text, which replaces the generated subject of the commit message. */
  readonly words: string | undefined;
}
