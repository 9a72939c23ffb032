import { encodeTarget, relativePath } from '../link-path.ts';
import { hasNoteEnding, withoutNoteEnding } from '../note-path.ts';
import type { LinkTarget, LinkText } from './resolve-link.ts';

/** Whether a target, written in the note, means the file that it has to mean. */
export type Means = (link: LinkText) => boolean;

/**
 * How a link is written so that it means `file`, as much as possible in the way it was written: by name if it was a name,
 * from the folder of the note if it was, with or without `.md`. Undefined when no way of writing it means the file.
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

/** A wiki link cannot contain its own delimiters. Markdown can write everything, with escapes. */
function isWritable(way: string, kind: LinkText['kind']): boolean {
  return kind === 'markdown' || kind === 'image' || !/[#^[\]|\\]/u.test(way);
}

/** As it stands in the text: between angle brackets nearly everything is as it is. */
export function writtenTarget(target: string, kind: LinkText['kind'], isInAngles: boolean): string {
  if (kind === 'wiki' || kind === 'embed') return target;
  if (!isInAngles) return encodeTarget(target);
  return target.replaceAll(/[<>%#\\\p{Cc}]/gu, (character) => encodeTarget(character));
}
