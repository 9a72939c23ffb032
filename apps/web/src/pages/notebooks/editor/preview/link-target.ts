export type LinkTarget =
  | { readonly kind: 'heading'; readonly name: string }
  | { readonly kind: 'file'; readonly path: string; readonly heading: string }
  | { readonly kind: 'outside'; readonly url: string }
  /** The link is empty, leads outside the notebook, or has a scheme other than http, https and mailto. */
  | { readonly kind: 'nothing' };

const SCHEME = /^[a-z][a-z0-9+.-]*:/iu;
const OUTSIDE = new Set(['http:', 'https:', 'mailto:']);

export function linkTarget(href: string, notePath: string): LinkTarget {
  // Browsers ignore control characters and spaces before the scheme, so this does the same.
  // oxlint-disable-next-line no-control-regex -- matches control characters
  const text = href.replaceAll(/[\u0000-\u0020\u007f-\u00a0]+/gu, ' ').trim();
  if (text === '') return { kind: 'nothing' };
  if (text.startsWith('#')) return { kind: 'heading', name: decoded(text.slice(1)) };
  if (SCHEME.test(text.replaceAll(' ', '')) || text.startsWith('//') || text.startsWith('\\')) return outside(text);
  const [path = '', heading = ''] = text.split('#', 2);
  const resolved = resolvePath(decoded(path.split('?', 1)[0] ?? ''), notePath);
  return resolved === undefined ? { kind: 'nothing' } : { kind: 'file', path: resolved, heading: decoded(heading) };
}

function outside(text: string): LinkTarget {
  const url = URL.parse(text.startsWith('//') ? `https:${text}` : text);
  return url !== null && OUTSIDE.has(url.protocol) ? { kind: 'outside', url: url.href } : { kind: 'nothing' };
}

/**
 * Resolves a path relative to the note, or to the notebook if it starts with a slash. Returns undefined if it leads
 * outside the notebook.
 */
export function resolvePath(path: string, notePath: string): string | undefined {
  const start = path.startsWith('/') ? [] : notePath.split('/').slice(0, -1);
  const parts = [...start];
  for (const part of path.split('/')) {
    if (part === '..') {
      if (parts.length === 0) return undefined;
      parts.pop();
    } else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.length === 0 ? undefined : parts.join('/');
}

export function relativePath(to: string, notePath: string): string {
  const from = notePath.split('/').slice(0, -1);
  const parts = to.split('/');
  let same = 0;
  while (same < from.length && same < parts.length - 1 && from[same] === parts[same]) same += 1;
  return [...from.slice(same).map(() => '..'), ...parts.slice(same).map(encodeURIComponent)].join('/');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
