interface TextPart {
  readonly text: string;
  readonly url?: string;
}

/** A web address up to the next space. Punctuation at its end belongs to the sentence, not to the address. */
const ADDRESS = /https?:\/\/[^\s<>"'`]+/giu;
const TRAILING = /[.,;:!?]+$/u;

/** Splits a text into plain parts and web addresses. */
export function webLinks(text: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  let at = 0;
  for (const match of text.matchAll(ADDRESS)) {
    const url = trimmed(match[0]);
    if (!URL.canParse(url)) continue;
    if (match.index > at) parts.push({ text: text.slice(at, match.index) });
    parts.push({ text: url, url });
    at = match.index + url.length;
  }
  if (at < text.length) parts.push({ text: text.slice(at) });
  return parts;
}

/** Also removes a closing bracket that has no opening bracket in the address: `(see https://example.org)`. */
function trimmed(url: string): string {
  const short = url.replace(TRAILING, '');
  const isUnbalanced = short.endsWith(')') && short.split(')').length > short.split('(').length;
  return isUnbalanced ? trimmed(short.slice(0, -1)) : short;
}
