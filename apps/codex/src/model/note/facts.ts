import { KIBIBYTE, MEBIBYTE } from '@holdfast/base';

import { contentTypeOf } from '../file-types.ts';
import { nameOf, type NotebookPath, parentOf, pathKey, withoutNoteEnding } from '../path.ts';
import { descriptionIn, parseNote, type Properties, titleIn } from './parse-note.ts';
import { readSidecar, tagsOf } from './properties.ts';
import type { NoteLink } from './scan-line.ts';

export interface About {
  readonly title: string | null;
  readonly description: string | null;
  readonly properties: Properties;
}

/** Everything indexed about a file besides its name. */
export interface NoteFacts extends About {
  readonly propertiesError: string | null;
  readonly tags: readonly string[];
  readonly links: readonly NoteLink[];
  /** Keys of the headings and blocks to which a link can lead, see `anchorKey`. */
  readonly anchors: readonly string[];
  readonly text: string;
}

const SILENT: About = { title: null, description: null, properties: {} };
export const NO_FACTS: NoteFacts = { ...SILENT, propertiesError: null, tags: [], links: [], anchors: [], text: '' };

/** For larger files, only the name and the properties are searchable. */
const TEXT_BYTES_MAX: number = 2 * MEBIBYTE;
const HEAD_BYTES: number = 128 * KIBIBYTE;
const BINARY = /^(?:image\/(?!svg)|audio\/|video\/|application\/(?:pdf|zip)$)/u;

/**
 * Extracts what the index needs from the content of a file. The result does not depend on the file's folder, so moving
 * a folder does not change it.
 */
export function factsOf(path: NotebookPath, bytes: Uint8Array): NoteFacts {
  if (BINARY.test(contentTypeOf(path))) return NO_FACTS;
  const isLong = bytes.length > TEXT_BYTES_MAX;
  if (isLong && !hasFrontMatter(path)) return NO_FACTS;
  const text = decoded(isLong ? bytes.subarray(0, HEAD_BYTES) : bytes, isLong);
  if (text === undefined) return NO_FACTS;
  if (isSidecar(path)) {
    const { properties, error } = readSidecar(text);
    return { ...NO_FACTS, ...aboutOf(properties), propertiesError: error };
  }
  if (!hasFrontMatter(path)) return { ...NO_FACTS, text };
  const { headings, ids, ...facts } = parseNote(text);
  if (isLong) return { ...facts, tags: tagsOf(facts.properties, []), links: [], anchors: [], text: '' };
  return { ...facts, anchors: [...new Set([...headings.map((heading) => heading.text), ...ids].map(anchorKey))] };
}

/**
 * Returns the same key for the `#part` of a link and for the heading or block that it names. `#Some: heading`,
 * `#some-heading` and `#Parent#Some heading` name the same heading; `#^id` names a block.
 */
export function anchorKey(part: string): string {
  const name = part
    .slice(part.lastIndexOf('#') + 1)
    .normalize('NFC')
    .trim()
    .toLowerCase();
  if (name.startsWith('^')) return name;
  return name
    .replaceAll(/[^\p{L}\p{M}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/[\s-]+/gu, '-');
}

export function aboutOf(properties: Properties): About {
  return { title: titleIn(properties), description: descriptionIn(properties), properties };
}

/** Search never returns a sidecar: the sidecar's properties are indexed with the file that it describes. */
export function indexedAs(path: NotebookPath, facts: NoteFacts): { readonly name: string; readonly facts: NoteFacts } {
  if (isSidecar(path)) return { name: '', facts: { ...NO_FACTS, propertiesError: facts.propertiesError } };
  return { name: nameOf(path), facts };
}

/** Replaces the metadata of a file with that of its sidecar. */
export function withAbout(facts: NoteFacts, about: About): NoteFacts {
  return { ...facts, ...about, tags: tagsOf(about.properties, []) };
}

const DECODING = { fatal: true, ignoreBOM: true } as const;
/** Shared: creating a decoder costs more than decoding a note. */
const decoder = new TextDecoder('utf-8', DECODING);

/** Returns undefined if the content is not UTF-8 text. */
function decoded(bytes: Uint8Array, isCut: boolean): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    // A cut text may end inside a character.
    return isCut ? new TextDecoder('utf-8', DECODING).decode(bytes, { stream: true }) : decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Returns the key of a link or path. A link has the same key as the file that it names. Ignores folders. */
export function linkKey(target: string): string {
  const name = nameOf(target.replaceAll('\\', '/') as NotebookPath);
  return pathKey(withoutNoteEnding(name));
}

/** A change to the note index. If possible, it is in the same database commit as the change to the file. */
export type NoteChange =
  | {
      readonly kind: 'content';
      readonly fileId: string;
      readonly name: string;
      readonly hash: string;
      readonly eventId: number | null;
      readonly facts: NoteFacts;
    }
  /** The name or the sidecar changed, but not the content. */
  | {
      readonly kind: 'about';
      readonly fileId: string;
      readonly name: string;
      readonly eventId: number | null;
      /** Undefined if unchanged. */
      readonly facts?: NoteFacts | undefined;
    }
  /** The content has to be read again later. */
  | { readonly kind: 'stale'; readonly fileId: string }
  | { readonly kind: 'gone'; readonly fileIds: readonly string[] }
  /** All files that a delete event moved to the trash. */
  | { readonly kind: 'trashed'; readonly eventId: number };

/**
 * Files that cannot hold properties, such as images, have a sidecar: `.photo.png.yaml` or `.photo.png.json` for
 * `photo.png`. The name must have two extensions, so `.eslintrc.json` is not a sidecar.
 */
const ENDINGS = ['yaml', 'json'] as const;
const SIDECAR = /^\.([^/]+\.[^./]+)\.(?:yaml|json)$/u;

/** Markdown files hold their own properties. */
export function hasFrontMatter(path: string): boolean {
  return contentTypeOf(path) === 'text/markdown';
}

/**
 * Returns the possible paths of a sidecar; the first that exists is used. Returns none for a file that holds its own
 * properties.
 */
export function sidecarsOf(path: NotebookPath): readonly NotebookPath[] {
  const name = nameOf(path);
  if (hasFrontMatter(path) || isSidecar(path) || !/[^.]\.[^.]+$/u.test(name)) return [];
  return ENDINGS.map((ending) => beside(path, `.${name}.${ending}`));
}

export function isSidecar(path: NotebookPath): boolean {
  return targetOf(path) !== undefined;
}

/** Returns the file that a sidecar belongs to, whether it exists or not. */
export function targetOf(sidecar: NotebookPath): NotebookPath | undefined {
  const name = SIDECAR.exec(nameOf(sidecar))?.[1];
  if (name === undefined || hasFrontMatter(name)) return undefined;
  const target = beside(sidecar, name);
  // A sidecar has no sidecar itself.
  return SIDECAR.test(name) ? undefined : target;
}

function beside(path: NotebookPath, name: string): NotebookPath {
  const folder = parentOf(path);
  return (folder === undefined ? name : `${folder}/${name}`) as NotebookPath;
}
