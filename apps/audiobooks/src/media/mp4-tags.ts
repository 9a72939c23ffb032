import { name4, u16, u32, utf8 } from './bytes.ts';
import { LIMITS, type Picture, type TagEntry } from './found.ts';
import { type Atom, childrenOf } from './mp4-atoms.ts';
import type { ByteSource } from './source.ts';

const NAMES: Readonly<Record<string, string>> = {
  '\u00a9nam': 'TITLE',
  '\u00a9alb': 'ALBUM',
  '\u00a9ART': 'ARTIST',
  aART: 'ALBUMARTIST',
  '\u00a9wrt': 'COMPOSER',
  '\u00a9nrt': 'NARRATOR',
  '\u00a9day': 'DATE',
  '\u00a9gen': 'GENRE',
  '\u00a9grp': 'GROUPING',
  '\u00a9cmt': 'COMMENT',
  '\u00a9pub': 'PUBLISHER',
  '\u00a9mvn': 'SERIES',
  '\u00a9mvi': 'SERIES-PART',
  '\u00a9st3': 'SUBTITLE',
  desc: 'DESCRIPTION',
  ldes: 'LONGDESCRIPTION',
};

export interface Mp4Tags {
  readonly entries: readonly TagEntry[];
  readonly pictures: readonly Picture[];
}

/** Reads iTunes tags: one box per tag, each with one or more values. */
export async function readIlst(source: ByteSource, ilst: Atom): Promise<Mp4Tags> {
  const entries: TagEntry[] = [];
  const pictures: Picture[] = [];
  for (const item of await childrenOf(source, ilst)) {
    if (entries.length >= LIMITS.entries) break;
    const values = (await childrenOf(source, item)).filter(({ name }) => name === 'data');
    if (item.name === 'covr') {
      for (const value of values) if (pictures.length < LIMITS.pictures) pictures.push(await pictureOf(source, value));
      continue;
    }
    const name = item.name === '----' ? await freeName(source, item) : NAMES[item.name];
    if (item.name === 'trkn') entries.push(...(await pair(source, values[0], 'TRACK')));
    else if (item.name === 'disk') entries.push(...(await pair(source, values[0], 'DISC')));
    else if (name !== undefined) {
      for (const value of values) entries.push(...(await textOf(source, value, name)));
    }
  }
  return { entries, pictures: pictures.filter(({ length }) => length > 0 && length <= LIMITS.pictureBytes) };
}

async function textOf(source: ByteSource, data: Atom, name: string): Promise<readonly TagEntry[]> {
  const bytes = await source.read(data.start, Math.min(data.end - data.start, LIMITS.textBytes));
  const isNumber = (u32(bytes, 0) & 0xff) === 21 && bytes.length <= 12;
  const value = isNumber ? String(bytes.subarray(8).reduce((sum, byte) => sum * 256 + byte, 0)) : utf8(bytes, 8).trim();
  return value === '' ? [] : [[name, value]];
}

async function pair(source: ByteSource, data: Atom | undefined, name: string): Promise<readonly TagEntry[]> {
  if (data === undefined) return [];
  const bytes = await source.read(data.start, 16);
  const [number, total] = [u16(bytes, 10), u16(bytes, 12)];
  return number === 0 ? [] : [[name, total === 0 ? String(number) : `${number}/${total}`]];
}

/** Custom tags: `----` with one box for the owner and one for the name. */
async function freeName(source: ByteSource, item: Atom): Promise<string | undefined> {
  const atom = (await childrenOf(source, item)).find(({ name }) => name === 'name');
  if (atom === undefined || atom.end - atom.start > 256) return undefined;
  const bytes = await source.read(atom.start, atom.end - atom.start);
  return utf8(bytes, 4).toUpperCase();
}

async function pictureOf(source: ByteSource, data: Atom): Promise<Picture> {
  const start = data.start + 8;
  const length = Math.max(0, Math.min(data.end, source.size) - start);
  const head = await source.read(start, 4);
  const mime = name4(head, 0).endsWith('PNG') ? 'image/png' : 'image/jpeg';
  return { mime, offset: start, length, isFront: true, bytes: async () => (await source.read(start, length)).slice() };
}
