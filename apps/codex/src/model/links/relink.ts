import { parseNote } from '../note/parse-note.ts';
import { linkText, type Means, writtenTarget } from './link-text.ts';
import { leadsTo, type LinkTarget, type LinkText } from './resolve-link.ts';

/** A link that must keep leading to a file. */
export interface KeptLink extends LinkText {
  readonly file_id: string;
  /** True if the link was relative to the folder of the note, and must stay so. */
  readonly is_relative: boolean;
}

/** Looks up files and links in the current notebook. */
export interface LinkWorld {
  readonly fileOf: (id: string) => LinkTarget | undefined;
  /** The file that a link in this note resolves to now. */
  readonly resolve: (link: LinkText) => LinkTarget | undefined;
}

/**
 * Rewrites the targets of links that no longer lead to their files. Changes nothing else. Undefined if there is nothing
 * to rewrite.
 */
export function relinked(path: string, text: string, kept: readonly KeptLink[], world: LinkWorld): string | undefined {
  const meant = new Map(kept.map((link) => [keyOf(link), link]));
  let rewritten = '';
  let done = 0;
  for (const { kind, target, start, end } of parseNote(text).links) {
    const link = meant.get(keyOf({ kind, target }));
    const file = link === undefined ? undefined : world.fileOf(link.file_id);
    if (link === undefined || file === undefined || start < done) continue;
    const means: Means = (other) => world.resolve(other)?.id === file.id;
    if (means({ kind, target }) && (!link.is_relative || leadsTo(path, target, file.path))) continue;
    const wanted = linkText(path, { kind, target }, file, means);
    if (wanted === undefined) continue;
    rewritten += text.slice(done, start) + writtenTarget(wanted, kind, text[start - 1] === '<');
    done = end;
  }
  return done === 0 ? undefined : rewritten + text.slice(done);
}

/** Only for Markdown links: other programs resolve them from the folder of the note. */
export function isRelativeLink(fromFile: string, { kind, target }: LinkText, file: LinkTarget): boolean {
  return isMarkdown(kind) && leadsTo(fromFile, target, file.path);
}

function isMarkdown(kind: LinkText['kind']): boolean {
  return kind === 'markdown' || kind === 'image';
}

function keyOf({ kind, target }: LinkText): string {
  return `${isMarkdown(kind) ? 'm' : 'w'}:${target}`;
}
