import { type LinkText, resolveLink } from '../model/links.ts';
import { anchorKey, hasFrontMatter, linkKey } from '../model/note/facts.ts';
import { anchorsOf, filesOfLinkKey, type LinkedFile } from '../store/links.ts';
import type { Transaction } from '../store/open.ts';

/** Resolves links in the current notebook. Caches lookups, so create one per request. */
export class Resolver {
  readonly #tx: Transaction;
  readonly #notebookId: number;
  readonly #anchors = new Map<string, readonly string[]>();
  readonly #byKey = new Map<string, readonly LinkedFile[]>();

  constructor(tx: Transaction, notebookId: number) {
    this.#tx = tx;
    this.#notebookId = notebookId;
  }

  resolve(fromFile: string, link: LinkText): LinkedFile | undefined {
    return resolveLink(fromFile, link, this.filesOf(linkKey(link.target)));
  }

  /** Returns whether the file is a note that lacks the heading or block `part`. */
  isPartMissing({ id, path }: LinkedFile, part: string | null): boolean {
    if (part === null || part === '' || !hasFrontMatter(path)) return false;
    const anchors = this.#anchors.get(id) ?? anchorsOf(this.#tx, id);
    if (anchors === undefined) return false;
    this.#anchors.set(id, anchors);
    const key = anchorKey(part);
    // `#top` is the top of any page.
    if (key === 'top') return false;
    // Ignores a number at the end, which other programs add to repeated headings.
    if (anchors.includes(key) || anchors.includes(key.replace(/-\d+$/u, ''))) return false;
    // Obsidian replaces punctuation with a space: `#R D` names the heading `R&D`.
    const joined = key.replaceAll('-', '');
    return !anchors.some((anchor) => anchor.replaceAll('-', '') === joined);
  }

  filesOf(key: string): readonly LinkedFile[] {
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    const found = filesOfLinkKey(this.#tx, this.#notebookId, key);
    this.#byKey.set(key, found);
    return found;
  }
}
