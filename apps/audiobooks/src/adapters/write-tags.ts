import { id3Chapters } from '../media/id3-chapters.ts';
import type { WantedTags } from '../merge/tag-engine.ts';
import { type Chapter, chapterComments } from '../model/chapters.ts';

type TagLib = typeof import('node-taglib-sharp');
type TagFile = ReturnType<TagLib['File']['createFromPath']>;

/** Tags without a standard field; `writeTags` writes them as custom fields. */
const OWN_NAMES = ['isbn', 'asin', 'language'] as const;

export interface NewPicture {
  readonly bytes: Uint8Array;
  readonly mime: string;
}

interface Written {
  readonly tags: WantedTags;
  /** New chapters for the file; undefined keeps the existing ones. Not for MP4, whose chapters are not tags. */
  readonly chapters: readonly Chapter[] | undefined;
  readonly cover: NewPicture | undefined;
}

/** Writes tags into the file at `path` itself, so pass a copy. Does not write empty tags. */
export async function writeTags(path: string, { tags, chapters, cover }: Written): Promise<void> {
  const taglib = await loadTagLib();
  const file = taglib.File.createFromPath(path);
  try {
    const { tag } = file;
    tag.title = tags.title;
    tag.album = tags.album;
    if (tags.subtitle !== '') tag.subtitle = tags.subtitle;
    if (tags.authors.length > 0) {
      tag.performers = [tags.authors.join('; ')];
      tag.albumArtists = [tags.authors.join('; ')];
    }
    if (tags.narrators.length > 0) tag.composers = [tags.narrators.join('; ')];
    if (tags.genres.length > 0) tag.genres = [tags.genres.join('; ')];
    if (tags.year > 0) tag.year = tags.year;
    if (tags.publisher !== '') tag.publisher = tags.publisher;
    if (tags.track > 0) tag.track = tags.track;
    if (tags.tracks > 0) tag.trackCount = tags.tracks;
    if (tags.disc > 0) tag.disc = tags.disc;
    if (tags.series !== '') writeSeries(taglib, file, tags);
    for (const name of OWN_NAMES) if (tags[name] !== '') writeOwn(taglib, file, name, tags[name]);
    if (tags.narrators.length > 0) writeOwn(taglib, file, 'narrator', tags.narrators.join('; '));
    if (tags.description !== '') writeOwn(taglib, file, 'description', tags.description);
    if (chapters !== undefined) writeChapters(taglib, file, chapters);
    if (cover !== undefined) writeCover(taglib, file, cover);
    file.save();
  } finally {
    file.dispose();
  }
}

/** taglib is a CommonJS module: in a bundle, only its default export has the classes and functions. */
async function loadTagLib(): Promise<TagLib> {
  const loaded: TagLib & { readonly default?: TagLib } = await import('node-taglib-sharp');
  return loaded.default ?? loaded;
}

/**
 * Writes series in the form that Audiobookshelf reads: one series in SERIES, with its position in SERIES-PART. Several
 * series must be in the grouping tag, and Audiobookshelf reads that tag only if SERIES is empty.
 */
function writeSeries(taglib: TagLib, file: TagFile, { series, seriesPart }: WantedTags): void {
  const isList = series.includes(';');
  if (isList) file.tag.grouping = series;
  writeOwn(taglib, file, 'series', isList ? '' : series);
  writeOwn(taglib, file, 'series-part', isList ? '' : seriesPart);
}

/** Writes a custom field in the native form of each tag format; removes the field if the value is empty. */
function writeOwn(taglib: TagLib, file: TagFile, name: string, value: string): void {
  const { TagTypes } = taglib;
  const key = name.toUpperCase();
  const values = value === '' ? [] : [value];
  const apple = file.getTag(TagTypes.Apple, false);
  if (apple instanceof taglib.Mpeg4AppleTag) apple.setItunesStrings('com.apple.iTunes', key, ...values);
  const xiph = file.getTag(TagTypes.Xiph, false);
  if (xiph instanceof taglib.XiphComment) xiph.setFieldAsStrings(key, ...values);
  const id3 = file.getTag(TagTypes.Id3v2, false);
  if (id3 instanceof taglib.Id3v2Tag) {
    const isSame = (frame: unknown): boolean =>
      frame instanceof taglib.Id3v2UserTextInformationFrame && frame.description.toUpperCase() === key;
    for (const frame of id3.frames.filter(isSame)) id3.removeFrame(frame);
    if (value === '') return;
    const own = taglib.Id3v2UserTextInformationFrame.fromDescription(key);
    own.text = [value];
    id3.addFrame(own);
  }
}

/** A frame id is an object; its `toString` returns the four-letter name. */
const isChapterFrame = ({ frameId }: { readonly frameId: { toString(): string } }): boolean =>
  /^(?:CHAP|CTOC)$/u.test(frameId.toString());

function writeChapters(taglib: TagLib, file: TagFile, chapters: readonly Chapter[]): void {
  const { TagTypes } = taglib;
  const xiph = file.getTag(TagTypes.Xiph, false);
  if (xiph instanceof taglib.XiphComment) {
    for (const name of xiph.fieldNames.filter((field) => /^CHAPTER\d+/iu.test(field))) xiph.removeField(name);
    for (const [name, value] of chapterComments(chapters)) xiph.setFieldAsStrings(name, value);
  }
  const id3 = file.getTag(TagTypes.Id3v2, false);
  if (id3 instanceof taglib.Id3v2Tag && !(xiph instanceof taglib.XiphComment)) {
    for (const frame of id3.frames.filter(isChapterFrame)) id3.removeFrame(frame);
    for (const { name, content } of id3Chapters(chapters, id3.version)) {
      const identifier = new taglib.Id3v2FrameIdentifier(name, name, name);
      id3.addFrame(taglib.Id3v2UnknownFrame.fromData(identifier, taglib.ByteVector.fromByteArray(content)));
    }
  }
}

/** Replaces the front cover and keeps other pictures. */
function writeCover(taglib: TagLib, { tag }: TagFile, { bytes, mime }: NewPicture): void {
  const { Picture, PictureType, ByteVector } = taglib;
  const front = Picture.fromFullData(ByteVector.fromByteArray(bytes), PictureType.FrontCover, mime, '');
  const others = tag.pictures.filter(({ type }) => type !== PictureType.FrontCover);
  tag.pictures = [front, ...others];
}
