/** An independent parser of media files, to compare ours with. */
export { parseFile } from 'music-metadata';
