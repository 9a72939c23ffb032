import { FOLDER_MODE, parseTree, type TreeEntry, type TreeReader } from '../model/git/tree-entry.ts';
import type { GitObjects } from './git-objects.ts';
import type { Repository } from './git-repository.ts';

type Folder = ReadonlyMap<string, TreeEntry>;

const FOLDERS_KEPT = 2_000;

/** Caches trees by id: they never change, and most are shared between commits. */
export class TreeCache {
  readonly #objects: GitObjects;
  readonly #oidBytes: number;
  readonly #folders = new Map<string, Promise<Folder>>();

  constructor(objects: GitObjects, oidBytes: number) {
    this.#objects = objects;
    this.#oidBytes = oidBytes;
  }

  folder(oid: string): Promise<Folder> {
    const known = this.#folders.get(oid);
    if (known !== undefined) {
      // Least recently used folders are dropped first.
      this.#folders.delete(oid);
      this.#folders.set(oid, known);
      return known;
    }
    const read = this.#read(oid);
    this.#folders.set(oid, read);
    read.catch(() => this.#folders.delete(oid));
    const [oldest] = this.#folders.keys();
    if (this.#folders.size > FOLDERS_KEPT && oldest !== undefined) this.#folders.delete(oldest);
    return read;
  }

  /** The tree of a commit; undefined if there is no commit. */
  async rootOf(commit: string | undefined): Promise<string | undefined> {
    if (commit === undefined) return undefined;
    const object = await this.#objects.read(commit);
    return /^tree ([0-9a-f]+)/.exec(object?.content.toString('latin1') ?? '')?.[1];
  }

  async #read(oid: string): Promise<Folder> {
    const object = await this.#objects.read(oid);
    return object?.type === 'tree' ? parseTree(object.content, this.#oidBytes) : new Map<string, TreeEntry>();
  }
}

/** The part of a commit's tree below the notebook. */
export class CommitTree implements TreeReader {
  readonly #cache: TreeCache;
  readonly #root: string | undefined;

  private constructor(cache: TreeCache, root: string | undefined) {
    this.#cache = cache;
    this.#root = root;
  }

  static async open(cache: TreeCache, { prefix }: Repository, commit: string | undefined): Promise<CommitTree> {
    const root = await cache.rootOf(commit);
    const whole = new CommitTree(cache, root);
    if (prefix === '') return whole;
    const folder = await whole.entry(prefix.slice(0, -1));
    return new CommitTree(cache, folder?.mode === FOLDER_MODE ? folder.oid : undefined);
  }

  /** Equal if the content of the notebook is equal, whatever the rest of the repository has. */
  get id(): string | undefined {
    return this.#root;
  }

  async entry(path: string): Promise<TreeEntry | undefined> {
    let entry: TreeEntry | undefined = this.#root === undefined ? undefined : { mode: FOLDER_MODE, oid: this.#root };
    for (const name of path.split('/')) {
      if (entry?.mode !== FOLDER_MODE) return undefined;
      const folder: Folder = await this.#cache.folder(entry.oid);
      entry = folder.get(name);
    }
    return entry;
  }

  async filesBelow(folder: string): Promise<(readonly [string, TreeEntry])[]> {
    const found: (readonly [string, TreeEntry])[] = [];
    const top = await this.entry(folder);
    const open: (readonly [string, TreeEntry])[] = top === undefined ? [] : [[folder, top]];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const [path, entry] = next;
      if (entry.mode !== FOLDER_MODE) found.push(next);
      else for (const [name, child] of await this.#cache.folder(entry.oid)) open.push([`${path}/${name}`, child]);
    }
    return found;
  }
}
