import { type LinkText, resolveLink } from '../model/links.ts';
import { linkKey } from '../model/note/facts.ts';
import { filesOfLinkKey, type LinkedFile } from '../store/links.ts';
import type { Transaction } from '../store/open.ts';

/** Resolves links in the current notebook. Caches lookups, so create one per request. */
export class Resolver {
  readonly #tx: Transaction;
  readonly #notebookId: number;
  readonly #byKey = new Map<string, readonly LinkedFile[]>();

  constructor(tx: Transaction, notebookId: number) {
    this.#tx = tx;
    this.#notebookId = notebookId;
  }

  resolve(fromFile: string, link: LinkText): LinkedFile | undefined {
    return resolveLink(fromFile, link, this.filesOf(linkKey(link.target)));
  }

  filesOf(key: string): readonly LinkedFile[] {
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    const found = filesOfLinkKey(this.#tx, this.#notebookId, key);
    this.#byKey.set(key, found);
    return found;
  }
}
