/** Our folder in a library, on the same file system as the books; scans skip it. */
export const OWN_FOLDER = '.holdfast';

/** Holds an operation's unfinished files. */
export const workFolder = (operationId: string): string => `${OWN_FOLDER}/work/${operationId}`;

/** Holds the originals of merged and transcoded files until the undo period ends. */
export const originalsFolder = (operationId: string): string => `${OWN_FOLDER}/originals/${operationId}`;
