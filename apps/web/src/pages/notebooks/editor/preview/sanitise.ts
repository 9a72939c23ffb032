import createPurifier, { type Config } from 'dompurify';

const TAGS =
  'a abbr b blockquote br caption cite code dd del details dfn div dl dt em figcaption figure h1 h2 h3 ' +
  'h4 h5 h6 hr i img input ins kbd li mark ol p pre q rp rt ruby s samp small span strong sub summary ' +
  'sup table tbody td tfoot th thead tr u ul var wbr';

/**
 * Everything that a note may insert into the page. No ids or names, which could shadow what our scripts look up; no
 * styles, forms, frames, media or SVG; no other attributes.
 */
const CONFIG = {
  ALLOWED_TAGS: TAGS.split(' '),
  ALLOWED_ATTR: ['align', 'alt', 'checked', 'colspan', 'data-kind', 'href', 'rowspan', 'src', 'start', 'title', 'type'],
  ALLOW_ARIA_ATTR: false,
  ALLOW_DATA_ATTR: false,
  KEEP_CONTENT: true,
  SANITIZE_DOM: true,
  RETURN_DOM_FRAGMENT: true as const,
  RETURN_TRUSTED_TYPE: false,
} satisfies Config;

const purifier = createPurifier(window);

/** The nodes belong to their own document, so that nothing is loaded before links are rewritten. */
export function sanitise(html: string): DocumentFragment {
  return purifier.sanitize(html, CONFIG);
}
