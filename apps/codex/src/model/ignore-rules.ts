import ignore, { type Ignore } from 'ignore';

/** Folders that are never looked into, on any level. */
const OWN_FOLDERS: ReadonlySet<string> = new Set(['.git', '.codex']);

const IGNORED = 'is ignored by .gitignore';

/**
 * The rules of all `.gitignore` files that say something about a notebook, as git reads them: all of one repository
 * together, as if they stood in its outermost file, so that those further down have the last word and a file in an
 * ignored folder cannot be taken back.
 */
export class IgnoreRules {
  readonly #rules: Ignore = ignore({ ignorecase: false });
  readonly #prefix: string;

  /** The notebook's place in its repository: empty, or ending in a slash. */
  constructor(prefix = '') {
    this.#prefix = prefix;
  }

  /** The rules of a folder of the notebook. Call from the root downwards. */
  add(folder: string, text: string): void {
    this.addAt(folder === '' ? this.#prefix : `${this.#prefix}${folder}/`, text);
  }

  /** The rules of a folder of the repository: empty, or ending in a slash. */
  addAt(folder: string, text: string): void {
    const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
    this.#rules.add(folder === '' ? lines : lines.flatMap((line) => rebased(folder, line)));
  }

  /** Why a path of the notebook is not looked at, for people; undefined when it is. */
  reason(path: string, isFolder: boolean): string | undefined {
    const names = path.split('/');
    if (names.some((name) => OWN_FOLDERS.has(name))) return 'belongs to git or to the notebook itself';
    if (names.some((name) => isTemporaryName(name))) return 'is a temporary file of a program';
    return this.#rules.ignores(this.#prefix + path + (isFolder ? '/' : '')) ? IGNORED : undefined;
  }
}

/** The same rule, as it would be written in the outermost folder. */
function rebased(folder: string, line: string): string[] {
  if (line.trim() === '' || line.startsWith('#')) return [];
  const isNegative = line.startsWith('!');
  // At the beginning of a line these need a backslash; with a folder before them they do not.
  const body = (isNegative ? line.slice(1) : line).replace(/^\\([!#])/, '$1');
  const place = `/${folder.replaceAll(/[*?[\]\\!# ]/g, String.raw`\$&`)}`;
  const isAnchored = /\/./.test(body.trimEnd().replace(/\/$/, ''));
  const pattern = isAnchored ? place + body.replace(/^\//, '') : `${place}**/${body}`;
  return [isNegative ? `!${pattern}` : pattern];
}

/**
 * Names that programs give to what they are about to delete: backups, locks and half-written files of editors, and the
 * notes that desktops leave in folders. They are looked at name by name, never as a part of a longer one.
 */
const TEMPORARY: readonly RegExp[] = [
  /^\..+\.sw[a-p]$/, // vim
  /^.+~$/, // vim, emacs, gedit and others: the version before
  /^#.+#$/, // emacs: not saved yet
  /^\.#.+$/, // emacs: lock
  /^\.~lock\..+#$/, // LibreOffice: lock
  /^~\$.+$/, // Microsoft Office: lock
  /^.+___jb_(tmp|old)___$/, // JetBrains
  /^\..+\.kate-swp$/, // Kate
  /^\.goutputstream-\w+$/, // GLib
  /^\.(nfs|fuse_hidden)[0-9a-f]+$/, // deleted while open
  /^\.syncthing\..+\.tmp$/,
  /^~syncthing~.+\.tmp$/,
  /^.+\.(crdownload|part)$/, // downloads
  /^\.DS_Store$/,
  /^\._.+$/, // macOS: attributes on foreign file systems
  /^(Thumbs\.db|desktop\.ini)$/i,
];

export function isTemporaryName(name: string): boolean {
  return TEMPORARY.some((pattern) => pattern.test(name));
}
