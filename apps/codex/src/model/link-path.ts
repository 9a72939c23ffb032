/** The relative path from one file to another, for a Markdown link. */
export function relativePath(fromFile: string, target: string): string {
  const from = fromFile.split('/').slice(0, -1);
  const to = target.split('/');
  let shared = 0;
  while (shared < from.length && shared < to.length - 1 && from[shared] === to[shared]) shared += 1;
  return [...from.slice(shared).map(() => '..'), ...to.slice(shared)].join('/');
}

/** Resolves a relative path in a file; undefined if it leaves the notebook. */
export function resolvedPath(fromFile: string, relative: string): string | undefined {
  const found = fromFile.split('/').slice(0, -1);
  for (const name of relative.split('/')) {
    if (name === '..') {
      if (found.pop() === undefined) return undefined;
    } else if (name !== '.' && name !== '') found.push(name);
  }
  return found.length === 0 ? undefined : found.join('/');
}

/** Escapes characters that would end or change the target of a Markdown link; letters stay readable. */
export function encodeTarget(path: string): string {
  return path.replaceAll(/[\s%#?<>()[\]\\"'`|^{}\p{Cc}]/gu, (character) =>
    Array.from(
      new TextEncoder().encode(character),
      (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
    ).join(''),
  );
}

/** Undefined if the escapes are not valid UTF-8. */
export function decodeTarget(target: string): string | undefined {
  try {
    return decodeURIComponent(target);
  } catch {
    return undefined;
  }
}
