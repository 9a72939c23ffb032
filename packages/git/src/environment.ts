/** Variables that git may see. Others, such as `GIT_DIR`, could redirect git to another repository. */
const passedOn = ['PATH', 'HOME', 'XDG_CONFIG_HOME', 'TMPDIR', 'USER', 'LOGNAME', 'SystemRoot'];

const settings: Readonly<Record<string, string>> = {
  'core.hooksPath': '/dev/null',
  'core.fsmonitor': 'false',
  'core.quotePath': 'false',
  // Makes commits durable before git reports success.
  'core.fsync': 'all',
  'core.fsyncMethod': 'fsync',
  // Input and output are UTF-8, independent of the user's locale.
  'i18n.logOutputEncoding': 'UTF-8',
  // git must not start background work that continues after it exits.
  'gc.auto': '0',
  'maintenance.auto': 'false',
  // Stores an import as one pack: two files to sync instead of one per object.
  'fastimport.unpackLimit': '0',
};

/** For every git process: no fetching, prompts, pager or editor, and messages in English. */
const constant: Readonly<Record<string, string>> = {
  LC_ALL: 'C',
  GIT_ALLOW_PROTOCOL: '',
  GIT_NO_LAZY_FETCH: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_PAGER: 'cat',
  GIT_EDITOR: 'false',
  GIT_ASKPASS: 'false',
  GIT_SSH_COMMAND: 'false',
};

/** Additional variables that a connection needs: for the ssh agent, and for proxies and certificates. */
const passedToNetwork = [
  'SSH_AUTH_SOCK',
  'HTTPS_PROXY',
  'https_proxy',
  'NO_PROXY',
  'no_proxy',
  'SSL_CERT_FILE',
  'GIT_SSL_CAINFO',
];

/** Variables for the gh login. */
const passedToGh = [
  'GH_TOKEN',
  'GITHUB_TOKEN',
  'GH_ENTERPRISE_TOKEN',
  'GITHUB_ENTERPRISE_TOKEN',
  'GH_HOST',
  'GH_CONFIG_DIR',
];

/**
 * Returns variables that let git connect to a remote repository over https, ssh or a path. If the remote asks for a
 * password, gh provides it; the user is never prompted.
 */
export function networkEnvironment(): NodeJS.ProcessEnv {
  return {
    ...passed([...passedToNetwork, ...passedToGh]),
    GIT_ALLOW_PROTOCOL: 'https:ssh:file',
    GIT_SSH_COMMAND: 'ssh -o BatchMode=yes',
    ...settingsEnvironment({ 'credential.helper': '!gh auth git-credential' }),
  };
}

/** Like `networkEnvironment`, but for one protocol, without gh, and with settings for this connection. */
export function connectionEnvironment(protocol: string, more: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { ...passed(passedToNetwork), GIT_ALLOW_PROTOCOL: protocol, ...settingsEnvironment(more) };
}

function passed(names: readonly string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}

/** Returns variables that give git our settings and the additional ones. */
function settingsEnvironment(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const all = Object.entries({ ...settings, ...more });
  return Object.fromEntries([
    ['GIT_CONFIG_COUNT', String(all.length)],
    ...all.flatMap(([key, value], at) => [
      [`GIT_CONFIG_KEY_${at}`, key],
      [`GIT_CONFIG_VALUE_${at}`, value],
    ]),
  ]) as NodeJS.ProcessEnv;
}

/** Returns the environment in which git reads only the repository's settings. */
export function gitEnvironment(): NodeJS.ProcessEnv {
  return { ...userEnvironment(), GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };
}

/** Returns the environment in which git also reads user and system settings. */
export function userEnvironment(): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = { ...constant, ...settingsEnvironment() };
  for (const name of passedOn) {
    const value = process.env[name];
    if (value !== undefined) environment[name] = value;
  }
  return environment;
}
