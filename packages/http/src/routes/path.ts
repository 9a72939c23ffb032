/** Converts OpenAPI paths, such as `/plans/{id}`, to router paths. */

const SEGMENT = /^(?:[A-Za-z0-9._~-]+|\{[A-Za-z][A-Za-z0-9_]*\})$/;
const REST = /^\{[A-Za-z][A-Za-z0-9_]*\+\}$/;
const NAME = /\{([A-Za-z][A-Za-z0-9_]*)\+?\}/g;

/** Describes what is wrong with a path; undefined if it is valid. */
export function pathFault(path: string): string | undefined {
  if (path === '' || path === '/') return undefined;
  if (!path.startsWith('/')) return 'does not start with a slash';
  const segments = path.slice(1).split('/');
  const last = segments.length - 1;
  const wrong = segments.find((segment, index) => !SEGMENT.test(segment) && !(index === last && REST.test(segment)));
  if (wrong !== undefined) return `has the segment "${wrong}"`;
  const names = pathNames(path);
  return new Set(names).size === names.length ? undefined : 'names a parameter twice';
}

export function pathNames(path: string): readonly string[] {
  return [...path.matchAll(NAME)].map(([, name]) => name ?? '');
}

export function routerPath(path: string): string {
  return path.replace(/\{(\w+)\+\}/g, ':$1{.+}').replace(/\{(\w+)\}/g, ':$1');
}

/** Removes the `+` from parameters that match several segments, because OpenAPI has no such parameters. */
export function openApiPath(path: string): string {
  return path.replace(/\+\}/g, '}');
}

/** Returns the same form for two paths that match the same requests. */
export function pathForm(path: string): string {
  return path.replace(/\{\w+\}/g, '{}').replace(/\{\w+\+\}/g, '{+}');
}

export function joinPath(basePath: string, path: string): string {
  const joined = basePath + (path === '/' && basePath !== '' ? '' : path);
  return joined === '' ? '/' : joined;
}

/** Sorts literal segments before parameters, so `/plans/active` is not a plan named active. */
export function compareSpecificity(left: string, right: string): number {
  const leftRanks = ranks(left);
  const rightRanks = ranks(right);
  return leftRanks < rightRanks ? -1 : Number(leftRanks > rightRanks);
}

function ranks(path: string): string {
  return path
    .split('/')
    .map((segment) => (segment.endsWith('+}') ? '2' : segment.startsWith('{') ? '1' : '0'))
    .join('');
}
