/** A folder of ours in the library, on the same file system as the books; scans pass over it. */
export const OWN_FOLDER = '.holdfast';

/** Where an operation keeps what is not finished. */
export const workFolder = (operationId: string): string => `${OWN_FOLDER}/work/${operationId}`;

/** Where the originals of merged and transcoded files lie until their time is up. */
export const originalsFolder = (operationId: string): string => `${OWN_FOLDER}/originals/${operationId}`;
