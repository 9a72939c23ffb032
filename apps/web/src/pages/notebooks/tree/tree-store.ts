import { createStore, type Store } from '../../../lib/store.ts';
import { coalesce } from '../../../live/coalesce.ts';
import { type FolderState, foldersAbove, parentOf, ROOT, type TreeEntry } from './tree-rows.ts';

export interface TreeState {
  readonly folders: ReadonlyMap<string, FolderState>;
  readonly open: ReadonlySet<string>;
  readonly active: string | undefined;
}

interface TreePage {
  readonly data: readonly TreeEntry[];
  readonly next_cursor: string | null;
}
export type ReadChildren = (folder: string, cursor: string | undefined) => Promise<TreePage>;

const nothing: FolderState = { entries: [], next: '', isReading: false, error: undefined };

/**
 * The file tree of a notebook. Reads only open folders, page by page as they become visible, so that it works with any
 * number of files. It stays in memory when the user leaves the page, so that folders are still open when the user
 * returns.
 */
export class NotebookTree {
  readonly state: Store<TreeState> = createStore<TreeState>({
    folders: new Map(),
    open: new Set(),
    active: undefined,
  });
  readonly #read: ReadChildren;
  readonly #refreshers = new Map<string, () => void>();

  constructor(read: ReadChildren) {
    this.#read = read;
  }

  select(active: string | undefined): void {
    this.state.set({ ...this.state.get(), active });
  }

  open(folder: string): void {
    const { open } = this.state.get();
    if (folder !== ROOT && !open.has(folder)) this.state.set({ ...this.state.get(), open: new Set([...open, folder]) });
    if (!this.state.get().folders.has(folder)) void this.more(folder);
  }

  close(folder: string): void {
    const open = new Set(this.state.get().open);
    open.delete(folder);
    this.state.set({ ...this.state.get(), open });
  }

  reveal(path: string): void {
    for (const folder of [ROOT, ...foldersAbove(path)]) this.open(folder);
  }

  async more(folder: string): Promise<void> {
    const known = this.state.get().folders.get(folder) ?? nothing;
    if (known.isReading || known.next === null) return;
    this.#put(folder, { ...known, isReading: true, error: undefined });
    try {
      const { data, next_cursor: next } = await this.#read(folder, known.next === '' ? undefined : known.next);
      this.#put(folder, { entries: [...known.entries, ...data], next, isReading: false, error: undefined });
    } catch (error) {
      this.#put(folder, { ...known, isReading: false, error });
    }
  }

  foldersWith(fileId: string): readonly string[] {
    return [...this.state.get().folders].flatMap(([folder, { entries }]) =>
      entries.some(({ id }) => id === fileId) ? [folder] : [],
    );
  }

  retry(folder: string): void {
    const known = this.state.get().folders.get(folder);
    if (known !== undefined && known.next !== null) void this.more(folder);
    else this.refresh(folder);
  }

  knows(folder: string): boolean {
    const siblings = this.state.get().folders.get(parentOf(folder))?.entries;
    return siblings?.some(({ path, has_children: hasChildren }) => path === folder && hasChildren) ?? false;
  }

  refresh(folder: string): void {
    if (!this.state.get().folders.has(folder)) return;
    const known = this.#refreshers.get(folder) ?? coalesce(() => this.#readAgain(folder));
    this.#refreshers.set(folder, known);
    known();
  }

  refreshAll(): void {
    for (const folder of this.state.get().folders.keys()) this.refresh(folder);
  }

  async #readAgain(folder: string): Promise<void> {
    const wanted = this.state.get().folders.get(folder)?.entries.length ?? 0;
    const entries: TreeEntry[] = [];
    let cursor: string | undefined;
    try {
      do {
        const page = await this.#read(folder, cursor);
        entries.push(...page.data);
        cursor = page.next_cursor ?? undefined;
      } while (cursor !== undefined && entries.length < wanted);
      this.#put(folder, { entries, next: cursor ?? null, isReading: false, error: undefined });
    } catch (error) {
      const known = this.state.get().folders.get(folder) ?? nothing;
      // If the folder was deleted, its parent removes the row. Other errors are shown.
      this.#put(folder, { ...known, isReading: false, error });
    }
  }

  #put(folder: string, state: FolderState): void {
    this.state.set({ ...this.state.get(), folders: new Map([...this.state.get().folders, [folder, state]]) });
  }
}
