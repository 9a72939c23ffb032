const ADDRESS = /^(?:https?|ssh):\/\/(?:[^@/]*@)?(?<host>[^/:]+)(?::\d+)?\/(?<path>.+)$/;
const SSH_SHORT = /^(?:[^@/:]+@)?(?<host>[^/:]+):(?<path>[^/].*)$/;

/** Returns HOST/OWNER/REPO for the address of a remote, OWNER/REPO for a local path, and undefined for other texts. */
export function githubRepository(url: string): string | undefined {
  const { host, path } = (ADDRESS.exec(url) ?? SSH_SHORT.exec(url))?.groups ?? { host: undefined, path: url };
  const [owner, name] = (path ?? '')
    .replace(/\/$/, '')
    .replace(/\.git$/, '')
    .split('/')
    .slice(-2);
  if (owner === undefined || name === undefined || owner === '' || name === '') return undefined;
  return [...(host === undefined ? [] : [host]), owner, name].join('/');
}
