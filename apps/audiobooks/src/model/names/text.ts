import { normalizeText } from '../normalize.ts';
import { looksLikePerson, splitPeople } from './people.ts';
import { positionOnly, seriesWithPosition } from './series-text.ts';

/** Look-alike characters in names; most replace characters that file systems reject. */
const LOOK_ALIKES: readonly (readonly [RegExp, string])[] = [
  [/[\ua789\uff1a\u2236]/gu, ':'],
  [/\uff1f/gu, '?'],
  [/[\u2215\u29f8\uff0f]/gu, '/'],
  [/[\u2018\u2019\u02bc]/gu, "'"],
  [/[\u201c\u201d]/gu, '"'],
  [/\s*[\u25cf\u2022\u00b7|]\s*/gu, ' - '],
  [/\s+[\u2013\u2014\u2015]\s+/gu, ' - '],
  [/\u2014/gu, ' - '],
  [/[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu, ''],
];

/** Restores spaces, unifies dashes and quotes, and removes invisible characters. */
export function readableName(name: string): string {
  let text = name.normalize('NFC');
  for (const [pattern, replacement] of LOOK_ALIKES) text = text.replace(pattern, replacement);
  const hasSpaces = /\s/u.test(text);
  if (!hasSpaces && (text.match(/_/gu) ?? []).length >= 2) text = text.replaceAll('_', ' ');
  else if (!hasSpaces && (text.match(/\.(?=\D|\d{3,})/gu) ?? []).length >= 2) text = dotsToSpaces(text);
  // People write `Title_ Subtitle` for `Title: Subtitle`, because some file systems do not allow colons.
  return text
    .replaceAll(/(?<=\p{L}|\d)_\s/gu, ': ')
    .replaceAll(/(?<=[\p{L}\d.])-\s(?=\p{Lu})/gu, ' - ')
    .replace(/[\s~]+$/u, '')
    .replaceAll(/\s+/gu, ' ')
    .trim();
}

/** Turns `Drew.Hayes.-.Fred.01.-.Title` into words: replaces dots between words, but not the dot in `1.5`. */
function dotsToSpaces(text: string): string {
  return text.replaceAll(/(?<!\d)\.|\.(?!\d)|(?<=\d{2}|\p{L}\d)\.(?=\d{2,}(?:\D|$))/gu, ' ');
}

/**
 * Turns `Ann Leckie-Ancillary Justice` and `AynRand-AtlasShrugged` into `Author - Title`. The part before the first
 * hyphen must look like a person, so `Catch-22` stays as it is. A single word after the hyphen also stays, because it
 * may be the second half of a double-barrelled name.
 */
export function withDashes(text: string): string {
  const { first = '', rest = '' } = /^(?<first>[^-]+)-(?<rest>[#\p{Lu}\d].*)$/u.exec(text)?.groups ?? {};
  const person = spaced(first);
  const isDouble = person === first && !rest.includes(' ') && spaced(rest) === rest;
  if (text.includes(' - ') || isDouble || !looksLikePerson(person)) return text;
  const parts = rest.split(/-(?=#\d)|(?<=#\d{1,3})-/u);
  return [person, ...parts.map(spaced)].join(' - ');
}

/** Separates the words of a name like `AtlasShrugged`; returns other names unchanged, including `MacDonald`. */
export function spaced(name: string): string {
  const isJoined = /^(?!(?:Mac|Mc|De|Di|Du|La|Le|Van|Von|O)\p{Lu})\p{L}+$/u.test(name);
  return isJoined ? name.replaceAll(/(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, ' ') : name;
}

/** Returns a form for comparison: lower-case letters and digits, without accents or a leading article. */
export function comparable(text: string): string {
  return normalizeText(text.replaceAll('&', ' and '))
    .replace(/^(?:the|an?|der|die|das|les?|la) (?=.)/u, '')
    .replaceAll(' ', '');
}

const KIND = /\s+(?:series|trilogy|saga|chronicles?|cycle|quartet|duology|sequence|novels|books)$/iu;

/** Returns whether two names mean the same series: `Farseer` and `The Farseer Trilogy`. */
export function isSameSeries(left: string, right: string): boolean {
  return comparable(left.replace(KIND, '')) === comparable(right.replace(KIND, ''));
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Sorts `2` before `10`; the order of equal names is stable. */
export function naturalOrder(left: string, right: string): number {
  return collator.compare(left, right) || (left < right ? -1 : left > right ? 1 : 0);
}

/** Matches container folders, whose names describe the files and not the book. */
const FOLDER = new RegExp(
  `^(?:${[
    'audio ?books?',
    'hörbücher',
    'hörbuch',
    'audio',
    'books?',
    'library',
    'media',
    'mp3s?',
    'm4b',
    'm4a',
    'flac',
    'opus',
    'ogg',
    'files?',
    'unabridged',
    'complete',
    'new',
    'incoming',
    'unsorted',
    'done',
    'downloads?',
    String.raw`\d{2,3} ?k(?:b|bps|bit)?(?:/s)?`,
    String.raw`(?:mp3|m4b)? ?\[?\(?\d{2,3} ?k(?:b|bps)?\)?\]?`,
  ].join('|')})$`,
  'iu',
);

/** Matches folders that group books by topic or language. They come first in a path. */
const SHELF =
  /^(?:(?:literary |general |historical |science |adult )?fiction|non[- ]?fiction|sci[- ]?fi|(?:epic |urban )?fantasy|mystery|thrillers?|(?:true )?crime|romance|horror|adventure|drama|westerns?|literature|history|biograph(?:y|ies)|memoirs?|kids|children'?s?|young adult|ya|classics|english|german|deutsch|french|français|spanish|self[- ]?help|business|economics|politics|philosophy|psychology|religion|health|travel|cooking|sports?|music|art|science|physics|chemistry|biology|math(?:s|ematics)?|technology|computers?|education|language|humou?r|poetry|litrpg|lectures|series|authors?(?: [a-z] ?- ?[a-z])?|[a-z](?: ?- ?[a-z])?)$/iu;

export const isNoiseFolder = (name: string): boolean => FOLDER.test(name.trim());
export const isShelf = (name: string): boolean => SHELF.test(name.trim());

/** Technical details in brackets or between spaces, for example `64kbps`, `05.34.35`, `115mb`, `mp3`, `by chap`. */
const TECHNICAL = [
  String.raw`\d{2,3}\s?k(?:b|bps|bit|hz)?(?:/s)?`,
  String.raw`\d{1,3}[.:;]\d{2}[.:;]\d{2}`,
  String.raw`\d{1,2}\s?h(?:rs?|ours?)?(?:\s?\d{1,2}\s?m(?:ins?)?)?`,
  String.raw`\d+(?:\.\d+)?\s?(?:mb|gb|mib|gib|kb)`,
  'mp3(?:s)?',
  'm4[ab]',
  'flac',
  'opus',
  'ogg',
  'aac',
  'v[0-9]',
  'vbr',
  'cbr',
  'by chap(?:ter)?s?',
  'chapteri[sz]ed',
  'audio ?book',
  'audible',
  'complete',
  'hörbuch',
  'retail',
  'repack',
  'mono',
  'stereo',
  String.raw`\d{2}(?:\.\d)?\s?khz`,
  'tts',
].join('|');
const TECHNICAL_ONLY = new RegExp(String.raw`^(?:(?:${TECHNICAL})[\s,;/-]*)+$`, 'iu');
/** Matches technical words that no title contains. Only these words are removed outside brackets. */
const LOOSE = new RegExp(
  String.raw`\s(?:\d{2,3}\s?k(?:b|bps|bit)(?:/s)?|\d{2,3}k|\d{1,3}[.:]\d{2}[.:]\d{2}|by chap(?:ter)?s?|vbr|cbr|nmr|(?:mp3|m4b)(?: format)?|audiobook$)(?=\s|$)`,
  'giu',
);

const isTechnical = (text: string): boolean => TECHNICAL_ONLY.test(text.trim());

/** Removes technical words outside brackets. */
export function withoutTechnical(text: string): { readonly text: string; readonly hadAny: boolean } {
  const rest = text.replaceAll(LOOSE, ' ').replaceAll(/\s+/gu, ' ').trim();
  return { text: rest, hadAny: rest !== text.trim() };
}

/** Metadata from the brackets in a folder name. Other brackets stay in `text`. */
export interface Bracketed {
  readonly text: string;
  readonly year?: number;
  readonly asin?: string;
  readonly isbn?: string;
  readonly edition?: 'abridged' | 'unabridged';
  readonly narrators?: readonly string[];
  readonly series?: { readonly name: string; readonly sequence: string };
  readonly sequence?: string;
  readonly part?: string;
  readonly hadTechnical: boolean;
  /**
   * The first text in round brackets that looks like a name and was not recognised. If the folder name also has
   * technical words, this text is the narrator.
   */
  readonly unexplained?: string;
}

type Mutable = { -readonly [K in keyof Bracketed]: Bracketed[K] };

const BRACKETS = /\s*(?:\[(?<square>[^[\]]*)\]|\((?<round>[^()]*)\)|\{(?<curly>[^{}]*)\})\s*/gu;
/** Words that precede a narrator's name, in languages in which audiobooks are common. */
export const READ =
  '(?:read|narrated|performed) by|gelesen von|erzählt von|lu par|leído por|narrado por|letto da|voorgelezen door|läst av|czyta';
const READ_BY = new RegExp(String.raw`^(?:${READ}|read|narrated|performed|narrator|reader)[\s:]+(?<people>.+)$`, 'iu');

export function readBrackets(name: string): Bracketed {
  const found: Mutable = { text: '', hadTechnical: false };
  const text = name.replaceAll(BRACKETS, (...args: unknown[]) => {
    const groups = args.at(-1) as Readonly<Record<string, string | undefined>>;
    const whole = String(args[0]);
    const kind = groups['square'] === undefined ? (groups['round'] === undefined ? 'curly' : 'round') : 'square';
    const content = (groups['square'] ?? groups['round'] ?? groups['curly'] ?? '').trim();
    const at = Number(args.at(-3));
    const isBetween = /\p{L}$/u.test(name.slice(0, at)) && /^\p{L}/u.test(name.slice(at + whole.length));
    // `Series [04] Title` is `Series 04 Title`.
    if (isBetween && kind === 'square' && /^0\d{1,2}$/u.test(content)) return ` ${content} `;
    if (!explain(found, kind, content)) return whole;
    // In `Author (2011) Title`, the year separates author and title.
    return isBetween && /^\d{4}$/u.test(content) ? ' - ' : ' ';
  });
  found.text = text
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/^(?:- )+|(?: -)+$|(?<=\p{L})-+\s*$/gu, '')
    .trim();
  return found;
}

/**
 * Reads the content of one pair of brackets; returns whether it was recognised. Does not overwrite values found
 * earlier.
 */
function explain(found: Mutable, kind: 'square' | 'round' | 'curly', content: string): boolean {
  if (content === '') return true;
  if (/^(?:B0[0-9A-Z]{8})$/u.test(content)) return note(found, 'asin', content);
  if (/^(?:asin[:\s]*)(?<asin>[0-9A-Z]{10})$/iu.test(content))
    return note(found, 'asin', content.slice(-10).toUpperCase());
  if (/^(?:isbn[:\s]*)?(?:\d{13}|\d{9}[\dX])$/iu.test(content))
    return note(found, 'isbn', content.replace(/^isbn[:\s]*/iu, ''));
  if (/^(?:1[4-9]|20|21)\d{2}$/u.test(content)) return note(found, 'year', Number(content));
  if (/^(?:un-?abr(?:idged)?\.?|ungekürzt\p{L}*)$/iu.test(content)) return note(found, 'edition', 'unabridged');
  if (/^(?:abr(?:idged)?\.?|gekürzt\p{L}*)$/iu.test(content)) return note(found, 'edition', 'abridged');
  if (/^(?:part|pt|teil)\.?\s*\d{1,2}\s*(?:of|von|\/)\s*\d{1,2}$/iu.test(content)) return note(found, 'part', content);
  if (isTechnical(content)) {
    found.hadTechnical = true;
    return true;
  }
  if (explainList(found, content)) return true;
  const readers = READ_BY.exec(content)?.groups?.['people'];
  if (readers !== undefined) return note(found, 'narrators', splitPeople(readers));
  const position = positionOnly(content);
  if (position !== undefined && (position.isWorded || kind === 'square'))
    return note(found, 'sequence', position.sequence);
  const series = seriesWithPosition(content);
  if (series !== undefined && (series.isCertain || kind !== 'curly')) return note(found, 'series', series);
  if (kind === 'curly' && /^[^\d]+$/u.test(content)) return note(found, 'narrators', splitPeople(content));
  if (kind === 'square' && looksLikePerson(content)) return note(found, 'narrators', splitPeople(content));
  if (kind === 'round' && /^\p{Lu}[\p{L}'.-]+(?: \p{Lu}[\p{L}'.-]*){0,2}$/u.test(content))
    found.unexplained ??= content;
  return false;
}

const EDITION = /^(?:un-?|un)?(?:abr(?:idged)?\.?|gekürzt\p{L}*)$/iu;

/** Reads `(Unabridged, David Suchet)`: details, and narrators next to them. */
function explainList(found: Mutable, content: string): boolean {
  const items = content.split(/\s*[,;]\s*/u);
  const people = items.filter((item) => !EDITION.test(item) && !isTechnical(item));
  if (items.length < 2 || people.length === items.length || !people.every(looksLikePerson)) return false;
  for (const item of items) if (!people.includes(item)) explain(found, 'round', item);
  if (people.length > 0) note(found, 'narrators', people.flatMap(splitPeople));
  return true;
}

function note<K extends keyof Mutable>(found: Mutable, key: K, value: NonNullable<Mutable[K]>): true {
  found[key] ??= value as Mutable[K];
  return true;
}
