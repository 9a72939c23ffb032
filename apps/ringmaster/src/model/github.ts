const ADDRESS = /^(?:https?|ssh):\/\/(?:[^@/]*@)?(?<host>[^/:]+)(?::\d+)?\/(?<path>.+)$/;
const SSH_SHORT = /^(?:[^@/:]+@)?(?<host>[^/:]+):(?<path>[^/].*)$/;

/**
 * Returns HOST/OWNER/REPO for the address of a remote, OWNER/REPO for an absolute path, and undefined for any other
 * text.
 */
export function githubRepository(url: string): string | undefined {
  const local = url.startsWith('/') ? url : '';
  const { host, path } = (ADDRESS.exec(url) ?? SSH_SHORT.exec(url))?.groups ?? { host: undefined, path: local };
  const [owner, name] = (path ?? '')
    .replace(/\/$/, '')
    .replace(/\.git$/, '')
    .split('/')
    .slice(-2);
  if (owner === undefined || name === undefined || owner === '' || name === '') return undefined;
  return [...(host === undefined ? [] : [host]), owner, name].join('/');
}
