/** Hidden files, and files that copying or downloading programs have not finished. */
const UNFINISHED = /^(?:\.|~)|\.(?:part|partial|tmp|temp|crdownload|download|unfinished|!ut|aria2)$|\.~tmp~/iu;
const SYSTEM_FOLDER = /^(?:@eaDir|#recycle|lost\+found|__MACOSX)$/u;

/** Whether scans and watches skip a file or folder of this name. */
export const isIgnored = (name: string): boolean => UNFINISHED.test(name) || SYSTEM_FOLDER.test(name);
