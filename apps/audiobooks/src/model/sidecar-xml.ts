/**
 * A minimal XML reader for book metadata. Ignores DOCTYPE and expands only the five predefined entities, so no document
 * can expand, fetch or recurse.
 */
export interface XmlElement {
  /** Without the namespace prefix. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Direct text, without that of child elements. */
  readonly text: string;
}

const TEXT_MAX = 512 * 1024;
const ELEMENTS_MAX = 10_000;
const TOKEN =
  /<[?!][^<>]*>|<\/(?<end>[\w:.-]+)\s*>|<(?<start>[\w:.-]+)(?<attributes>(?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(?<empty>\/?)>|(?<text>[^<]+)|</gu;
const ATTRIBUTE = /(?<name>[\w:.-]+)\s*=\s*(?:"(?<double>[^"]*)"|'(?<single>[^']*)')/gu;

export function readXml(document: string): readonly XmlElement[] {
  const elements: XmlElement[] = [];
  const open: { name: string; attributes: Readonly<Record<string, string>>; text: string }[] = [];
  for (const { groups = {} } of withoutSections(document.slice(0, TEXT_MAX)).matchAll(TOKEN)) {
    if (elements.length >= ELEMENTS_MAX || open.length > 1_000) break;
    const top = open.at(-1);
    if (top !== undefined && groups['text'] !== undefined) top.text += decodeEntities(groups['text']);
    if (groups['start'] !== undefined) {
      open.push({ name: localName(groups['start']), attributes: attributesOf(groups['attributes'] ?? ''), text: '' });
    }
    const isClosed = groups['end'] !== undefined || groups['empty'] === '/';
    const closed = isClosed ? open.pop() : undefined;
    if (closed !== undefined) elements.push({ ...closed, text: closed.text.trim() });
  }
  return elements;
}

/** Removes comments and unwraps CDATA. An unclosed section ends the document. */
function withoutSections(document: string): string {
  let text = '';
  let at = 0;
  for (;;) {
    const next = document.indexOf('<!', at);
    if (next < 0) return text + document.slice(at);
    text += document.slice(at, next);
    const [open, close] = document.startsWith('<!--', next) ? ['<!--', '-->'] : ['<![CDATA[', ']]>'];
    if (!document.startsWith(open, next)) {
      text += '<!';
      at = next + 2;
      continue;
    }
    const end = document.indexOf(close, next + open.length);
    if (end < 0) return text;
    if (close === ']]>')
      text += document
        .slice(next + open.length, end)
        .replaceAll('&', '&amp;')
        .replaceAll('<', '&lt;');
    at = end + close.length;
  }
}

function attributesOf(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...text.matchAll(ATTRIBUTE)].map(({ groups = {} }) => [
      localName(groups['name'] ?? ''),
      decodeEntities(groups['double'] ?? groups['single'] ?? ''),
    ]),
  );
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1).toLowerCase();

const ENTITIES: ReadonlyMap<string, string> = new Map(
  Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }),
);

function decodeEntities(text: string): string {
  return text.replaceAll(/&(?:#x(?<hex>[\da-f]{1,6})|#(?<decimal>\d{1,7})|(?<name>\w+));/giu, (...args: unknown[]) => {
    const groups = args.at(-1) as Readonly<Record<string, string | undefined>>;
    if (groups['name'] !== undefined) return ENTITIES.get(groups['name'].toLowerCase()) ?? String(args[0]);
    const code = groups['hex'] === undefined ? Number(groups['decimal']) : Number.parseInt(groups['hex'], 16);
    return code > 0x1f && code <= 0x10_ffff && !(code >= 0xd800 && code < 0xe000) ? String.fromCodePoint(code) : ' ';
  });
}

/** Descriptions are often HTML: keeps paragraphs as lines and drops all other markup. */
export function plainText(html: string): string {
  if (!/<\/?[a-z][^<>]*>/iu.test(html)) return html.trim();
  const lines = html
    .replaceAll(/<(?:br|\/p|\/div|\/li|\/h\d)[^<>]*>/giu, '\n')
    .replaceAll(/<[^<>]*>/gu, '')
    .replaceAll('&nbsp;', ' ');
  return decodeEntities(lines)
    .replaceAll(/[^\S\n]+/gu, ' ')
    .replaceAll(/\s*\n\s*/gu, '\n')
    .trim();
}
