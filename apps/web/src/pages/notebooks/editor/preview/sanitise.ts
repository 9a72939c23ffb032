import createPurifier, { type Config } from 'dompurify';

const TAGS =
  'a abbr b blockquote br caption cite code dd del details dfn div dl dt em figcaption figure h1 h2 h3 ' +
  'h4 h5 h6 hr i img input ins kbd li mark ol p pre q rp rt ruby s samp small span strong sub summary ' +
  'sup table tbody td tfoot th thead tr u ul var wbr';

/**
 * Everything that a note may bring into the page, and nothing else. No ids or names, which could stand in for what our
 * own scripts look up; no styles, forms, frames, media or drawings; no attributes beyond these.
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

/** The nodes belong to a document of their own, so that nothing is loaded before it is decided what may be. */
export function sanitise(html: string): DocumentFragment {
  return purifier.sanitize(html, CONFIG);
}
