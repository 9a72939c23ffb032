import { isTechnical } from './noise.ts';
import { splitPeople } from './people.ts';
import { positionOnly, seriesWithPosition } from './series-text.ts';

/** Reads metadata in brackets of a folder name; keeps other brackets in the text. */
export interface Bracketed {
  readonly text: string;
  readonly year?: number;
  readonly asin?: string;
  readonly isbn?: string;
  readonly edition?: 'abridged' | 'unabridged';
  readonly narrators?: readonly string[];
  readonly series?: { readonly name: string; readonly sequence: string };
  readonly sequence?: string;
  readonly hadTechnical: boolean;
  /** The only unrecognised text in round brackets: a narrator if everything else is technical. */
  readonly unexplained?: string;
}

type Mutable = { -readonly [K in keyof Bracketed]: Bracketed[K] };

const BRACKETS = /\s*(?:\[(?<square>[^[\]]*)\]|\((?<round>[^()]*)\)|\{(?<curly>[^{}]*)\})\s*/gu;
const READ_BY = /^(?:(?:read|narrated|performed)(?: by)?|narrator|reader|gelesen von)[\s:]+(?<people>.+)$/iu;

export function readBrackets(name: string): Bracketed {
  const found: Mutable = { text: '', hadTechnical: false };
  const text = name.replaceAll(BRACKETS, (...args: unknown[]) => {
    const groups = args.at(-1) as Readonly<Record<string, string | undefined>>;
    const whole = String(args[0]);
    const kind = groups['square'] === undefined ? (groups['round'] === undefined ? 'curly' : 'round') : 'square';
    const content = (groups['square'] ?? groups['round'] ?? groups['curly'] ?? '').trim();
    return explain(found, kind, content) ? ' ' : whole;
  });
  found.text = text
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/^(?:- )+|(?: -)+$/gu, '')
    .trim();
  return found;
}

/** Returns whether the content was recognised. Earlier values win. */
function explain(found: Mutable, kind: 'square' | 'round' | 'curly', content: string): boolean {
  if (content === '') return true;
  if (/^(?:B0[0-9A-Z]{8})$/u.test(content)) return note(found, 'asin', content);
  if (/^(?:asin[:\s]*)(?<asin>[0-9A-Z]{10})$/iu.test(content))
    return note(found, 'asin', content.slice(-10).toUpperCase());
  if (/^(?:isbn[:\s]*)?(?:\d{13}|\d{9}[\dX])$/iu.test(content))
    return note(found, 'isbn', content.replace(/^isbn[:\s]*/iu, ''));
  if (/^(?:1[4-9]|20|21)\d{2}$/u.test(content)) return note(found, 'year', Number(content));
  if (/^un-?abr(?:idged)?\.?$/iu.test(content)) return note(found, 'edition', 'unabridged');
  if (/^abr(?:idged)?\.?$/iu.test(content)) return note(found, 'edition', 'abridged');
  if (isTechnical(content)) {
    found.hadTechnical = true;
    return true;
  }
  const readers = READ_BY.exec(content)?.groups?.['people'];
  if (readers !== undefined) return note(found, 'narrators', splitPeople(readers));
  const position = positionOnly(content);
  if (position !== undefined && (position.isWorded || kind === 'square'))
    return note(found, 'sequence', position.sequence);
  const series = seriesWithPosition(content);
  if (series !== undefined && (series.isCertain || kind !== 'curly')) return note(found, 'series', series);
  if (kind === 'curly' && /^[^\d]+$/u.test(content)) return note(found, 'narrators', splitPeople(content));
  if (kind === 'round' && /^\p{Lu}[\p{L}'-]+(?: \p{Lu}[\p{L}'.-]*){0,2}$/u.test(content)) found.unexplained ??= content;
  return false;
}

function note<K extends keyof Mutable>(found: Mutable, key: K, value: NonNullable<Mutable[K]>): true {
  found[key] ??= value as Mutable[K];
  return true;
}
