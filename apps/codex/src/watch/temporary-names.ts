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
