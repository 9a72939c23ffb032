import { isAutoCrlf } from '../adapters/git-attributes.ts';
import { removeLeftovers } from '../adapters/git-index-lock.ts';
import { GitObjects } from '../adapters/git-objects.ts';
import { configuredUser, openRepository, type Repository } from '../adapters/git-repository.ts';
import { TreeCache } from '../adapters/git-tree.ts';
import { codexIdentity, type Identity } from '../model/git/author.ts';

export interface NotebookRepository {
  readonly repository: Repository;
  readonly objects: GitObjects;
  readonly trees: TreeCache;
  /** The user in the git configuration: author of changes that codex found but did not make. */
  readonly user: Identity;
  /** True if git converts line ends by default. */
  readonly isAutoCrlf: boolean;
  close(): void;
}

export async function openNotebookRepository(folder: string): Promise<NotebookRepository> {
  const repository = await openRepository(folder);
  await removeLeftovers(repository);
  const objects = new GitObjects(repository.root);
  return {
    repository,
    objects,
    trees: new TreeCache(objects, repository.oidBytes),
    user: (await configuredUser(repository.root)) ?? codexIdentity,
    isAutoCrlf: await isAutoCrlf(repository.root),
    close: () => objects.close(),
  };
}
