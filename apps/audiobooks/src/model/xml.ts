/** Minimal XML writer for feeds. Escapes all external values. */

const ESCAPED: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

/** Removes characters that XML 1.0 forbids: control characters, lone surrogates and the two non-characters. */
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

function escapeXml(text: string): string {
  return text.replace(FORBIDDEN, '').replace(/[&<>"'\t\n\r]/gu, (sign) => ESCAPED[sign] ?? '');
}

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | number | undefined>>;
  readonly children: readonly XmlChild[];
}
type XmlChild = XmlElement | string | undefined;

/** Omits undefined children and attributes. */
export function xml(
  name: string,
  attributes: XmlElement['attributes'] = {},
  ...children: readonly XmlChild[]
): XmlElement {
  return { name, attributes, children };
}

export function xmlDocument(root: XmlElement): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${render(root)}\n`;
}

function render({ name, attributes, children }: XmlElement): string {
  const written = Object.entries(attributes).flatMap(([attribute, value]) =>
    value === undefined ? [] : [` ${attribute}="${escapeXml(String(value))}"`],
  );
  const inside = children
    .filter((child) => child !== undefined)
    .map((child) => (typeof child === 'string' ? escapeXml(child) : render(child)))
    .join('');
  return inside === '' ? `<${name}${written.join('')}/>` : `<${name}${written.join('')}>${inside}</${name}>`;
}
