import type { WantedTags } from '../merge/tag-engine.ts';

type TagLib = typeof import('node-taglib-sharp');
type TagFile = ReturnType<TagLib['File']['createFromPath']>;

/** Tags that have no standard field and are written as custom fields. */
const OWN_NAMES = ['series', 'isbn', 'asin', 'language'] as const;

/** Writes tags into the file itself, so pass a copy. Does not write empty tags. */
export async function writeTags(path: string, tags: WantedTags): Promise<void> {
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
    for (const name of OWN_NAMES) if (tags[name] !== '') writeOwn(taglib, file, name, tags[name]);
    if (tags.narrators.length > 0) writeOwn(taglib, file, 'narrator', tags.narrators.join('; '));
    if (tags.description !== '') writeOwn(taglib, file, 'description', tags.description);
    file.save();
  } finally {
    file.dispose();
  }
}

/** taglib is a CommonJS module: in a bundle, only the default export has its names. */
async function loadTagLib(): Promise<TagLib> {
  const loaded: TagLib & { readonly default?: TagLib } = await import('node-taglib-sharp');
  return loaded.default ?? loaded;
}

/** Writes a custom field in the native form of each format. */
function writeOwn(taglib: TagLib, file: TagFile, name: string, value: string): void {
  const { TagTypes } = taglib;
  const key = name.toUpperCase();
  const apple = file.getTag(TagTypes.Apple, false);
  if (apple instanceof taglib.Mpeg4AppleTag) apple.setItunesStrings('com.apple.iTunes', key, value);
  const xiph = file.getTag(TagTypes.Xiph, false);
  if (xiph instanceof taglib.XiphComment) xiph.setFieldAsStrings(key, value);
  const id3 = file.getTag(TagTypes.Id3v2, false);
  if (id3 instanceof taglib.Id3v2Tag) {
    const isSame = (frame: unknown): boolean =>
      frame instanceof taglib.Id3v2UserTextInformationFrame && frame.description.toUpperCase() === key;
    for (const frame of id3.frames.filter(isSame)) id3.removeFrame(frame);
    const own = taglib.Id3v2UserTextInformationFrame.fromDescription(key);
    own.text = [value];
    id3.addFrame(own);
  }
}
