/** Hidden files, and unfinished copies and downloads. */
const UNFINISHED = /^(?:\.|~)|\.(?:part|partial|tmp|temp|crdownload|download|unfinished|!ut|aria2)$|\.~tmp~/iu;
const SYSTEM_FOLDER = /^(?:@eaDir|#recycle|lost\+found|__MACOSX)$/u;

export const isIgnored = (name: string): boolean => UNFINISHED.test(name) || SYSTEM_FOLDER.test(name);
