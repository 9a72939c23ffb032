import ignore, { type Ignore } from 'ignore';

/** Folders that are ignored at every level. */
const OWN_FOLDERS: ReadonlySet<string> = new Set(['.git', '.codex']);

const IGNORED = 'is ignored by .gitignore';
const OWN = 'belongs to git or to the notebook itself';
const TEMPORARY_FILE = 'is a temporary file that another program made';
const VOLATILE_FILE = 'changes constantly and contains no notes';

/** Expected reasons to ignore a file. The status of a notebook shows files that are ignored for any other reason. */
export const EXPECTED_REASONS: ReadonlySet<string> = new Set([IGNORED, OWN, TEMPORARY_FILE, VOLATILE_FILE]);

/** Window layouts and backups that note programs rewrite all the time. */
const VOLATILE = /(?:^|\/)(?:\.obsidian\/workspace[^/]*\.json|logseq\/(?:bak|\.recycle)(?:\/.*)?)$/;

/**
 * Applies the `.gitignore` files of a notebook as git does. Makes all rules relative to the root of the repository, so
 * that deeper rules win and a file in an ignored folder cannot be included again.
 */
export class IgnoreRules {
  readonly #rules: Ignore = ignore({ ignorecase: false });
  readonly #prefix: string;

  /** Path of the notebook in its repository: empty, or ending in a slash. */
  constructor(prefix = '') {
    this.#prefix = prefix;
  }

  /** Adds the rules of a folder in the notebook. Call it for parent folders first. */
  add(folder: string, text: string): void {
    this.addAt(folder === '' ? this.#prefix : `${this.#prefix}${folder}/`, text);
  }

  /** Adds the rules of a folder in the repository. `folder` is empty or ends in a slash. */
  addAt(folder: string, text: string): void {
    const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
    this.#rules.add(folder === '' ? lines : lines.flatMap((line) => rebased(folder, line)));
  }

  /** Returns why a path in the notebook is ignored, as text for users; undefined if it is not ignored. */
  reason(path: string, isFolder: boolean): string | undefined {
    const names = path.split('/');
    if (names.some((name) => OWN_FOLDERS.has(name))) return OWN;
    if (names.some((name) => isTemporaryName(name))) return TEMPORARY_FILE;
    if (VOLATILE.test(path)) return VOLATILE_FILE;
    return this.#rules.ignores(this.#prefix + path + (isFolder ? '/' : '')) ? IGNORED : undefined;
  }
}

/** Makes a rule relative to the root of the repository. */
function rebased(folder: string, line: string): string[] {
  if (line.trim() === '' || line.startsWith('#')) return [];
  const isNegative = line.startsWith('!');
  // Removes a backslash that is needed only at the start of a line.
  const body = (isNegative ? line.slice(1) : line).replace(/^\\([!#])/, '$1');
  const place = `/${folder.replaceAll(/[*?[\]\\!# ]/g, String.raw`\$&`)}`;
  const isAnchored = /\/./.test(body.trimEnd().replace(/\/$/, ''));
  const pattern = isAnchored ? place + body.replace(/^\//, '') : `${place}**/${body}`;
  return [isNegative ? `!${pattern}` : pattern];
}

/**
 * Temporary files of editors and desktops: backups, locks and half-written files. Each pattern matches a whole name.
 */
const TEMPORARY: readonly RegExp[] = [
  /^\..+\.sw[a-p]$/, // vim
  /^.+~$/, // vim, emacs, gedit and others: backup of the previous version
  /^#.+#$/, // emacs: auto-save
  /^\.#.+$/, // emacs: lock
  /^\.~lock\..+#$/, // LibreOffice: lock
  /^~\$.+$/, // Microsoft Office: lock
  /^.+___jb_(tmp|old)___$/, // JetBrains
  /^\..+\.kate-swp$/, // Kate
  /^\.goutputstream-\w+$/, // GLib
  /^\.(nfs|fuse_hidden)[0-9a-f]+$/, // NFS and FUSE: deleted while open
  /^\.syncthing\..+\.tmp$/,
  /^~syncthing~.+\.tmp$/,
  /^.+\.(crdownload|part)$/, // downloads
  /^\.DS_Store$/,
  /^\._.+$/, // macOS: attributes on other file systems
  /^(Thumbs\.db|desktop\.ini)$/i,
];

export function isTemporaryName(name: string): boolean {
  return TEMPORARY.some((pattern) => pattern.test(name));
}
