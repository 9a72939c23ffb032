/** Attributes from `.gitattributes` that change how a file is stored. */
export interface Attributes {
  readonly text: string;
  readonly eol: string;
  readonly filter: string;
  readonly ident: string;
  readonly encoding: string;
}

/** Order of the attributes in the request to git. */
export const ATTRIBUTES = ['text', 'eol', 'filter', 'ident', 'working-tree-encoding'] as const;

/** The user's filter program for this file, such as Git LFS; undefined if there is none. */
export function filterOf({ filter }: Attributes): string | undefined {
  return isSet(filter) ? filter : undefined;
}

/** Returns whether the conversion depends on the content. */
export function mayConvert({ text, eol, ident, encoding }: Attributes, isAutoCrlf: boolean): boolean {
  return [text, eol, ident, encoding].some(isSet) || (text === 'unspecified' && isAutoCrlf);
}

/**
 * Returns whether git stores other bytes than the file has. Decides without git, because most files are never
 * converted.
 */
export function isConverted(attributes: Attributes, bytes: Uint8Array, isAutoCrlf: boolean): boolean {
  if (isSet(attributes.encoding)) return true;
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isSet(attributes.ident) && content.includes('$Id')) return true;
  const hasLineEnds =
    isSet(attributes.text) || isSet(attributes.eol) || (attributes.text === 'unspecified' && isAutoCrlf);
  return hasLineEnds && content.includes('\r\n');
}

function isSet(value: string): boolean {
  return value !== 'unspecified' && value !== 'unset';
}
