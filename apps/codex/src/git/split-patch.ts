/** The part of `git diff` about each file, by the first line of that part. What was cut off at the end is left as it is. */
export function splitPatch(text: string): ReadonlyMap<string, string> {
  const parts = new Map<string, string>();
  // Lines of content begin with a space, a plus, a minus or a backslash, so this is never one of them.
  for (const part of text.split(/^(?=diff --git )/mu)) {
    const end = part.indexOf('\n');
    const head = end < 0 ? part : part.slice(0, end);
    if (head.startsWith('diff --git ')) parts.set(head, (parts.get(head) ?? '') + part);
  }
  return parts;
}

/** How that first line names a file, or a file and where it was before. */
export function patchHead(from: string, path: string): string {
  return `diff --git ${shown(`a/${from}`)} ${shown(`b/${path}`)}`;
}

/** As git writes a name: quoted only when it must be. Names with control characters are no names of a notebook. */
function shown(name: string): string {
  return /["\\]/u.test(name) ? `"${name.replaceAll(/["\\]/gu, (character) => `\\${character}`)}"` : name;
}
