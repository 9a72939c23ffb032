import { encodeTarget, relativePath } from '../link-path.ts';
import { hasNoteEnding, withoutNoteEnding } from '../note-path.ts';
import type { LinkTarget, LinkText } from './resolve-link.ts';

/** Returns whether a target in the note resolves to the wanted file. */
export type Means = (link: LinkText) => boolean;

/**
 * Writes a link to `file`, keeping the original style if possible: by name or relative to the note, with or without
 * `.md`. Undefined if no way of writing it resolves to the file.
 */
export function linkText(fromFile: string, link: LinkText, file: LinkTarget, means: Means): string | undefined {
  const { kind, target } = link;
  const path = hasNoteEnding(target) ? file.path : withoutNoteEnding(file.path);
  const ways = [...waysOf(fromFile, link, path), path, file.path, `/${file.path}`];
  return ways.find((way) => isWritable(way, kind) && means({ kind, target: way }));
}

function waysOf(fromFile: string, { kind, target }: LinkText, path: string): readonly string[] {
  const relative = relativePath(fromFile, path);
  if (target.startsWith('/')) return [`/${path}`];
  if (target.startsWith('./') && !relative.startsWith('../')) return [`./${relative}`];
  if (/^\.{1,2}\//u.test(target) || kind === 'markdown' || kind === 'image') return [relative];
  if (!target.includes('/')) return [path.slice(path.lastIndexOf('/') + 1)];
  return [path];
}

/** A wiki link cannot contain its own delimiters. Markdown can escape everything. */
function isWritable(way: string, kind: LinkText['kind']): boolean {
  return kind === 'markdown' || kind === 'image' || !/[#^[\]|\\]/u.test(way);
}

/** Escapes a target for the source; angle brackets need few escapes. */
export function writtenTarget(target: string, kind: LinkText['kind'], isInAngles: boolean): string {
  if (kind === 'wiki' || kind === 'embed') return target;
  if (!isInAngles) return encodeTarget(target);
  return target.replaceAll(/[<>%#\\\p{Cc}]/gu, (character) => encodeTarget(character));
}
