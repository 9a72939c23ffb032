/** Somebody else's reader of media files, which ours is compared with. */
export { parseFile } from 'music-metadata';
