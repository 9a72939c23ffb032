/** Attributes from `.gitattributes` that change how a file is stored. */
export interface Attributes {
  readonly text: string;
  readonly eol: string;
  readonly filter: string;
  readonly ident: string;
  readonly encoding: string;
}

/** In the order in which git is asked for them. */
export const ATTRIBUTES = ['text', 'eol', 'filter', 'ident', 'working-tree-encoding'] as const;

/** The name of a program that the user has for files of this kind, such as Git LFS; undefined when there is none. */
export function filterOf({ filter }: Attributes): string | undefined {
  return isSet(filter) ? filter : undefined;
}

/** Whether the content has to be looked at to tell. */
export function mayConvert({ text, eol, ident, encoding }: Attributes, isAutoCrlf: boolean): boolean {
  return [text, eol, ident, encoding].some(isSet) || (text === 'unspecified' && isAutoCrlf);
}

/** Whether git stores something else than the bytes of the file. Most files never do, so this decides without git. */
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
