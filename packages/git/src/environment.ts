/** Variables that git may see. Other variables, such as `GIT_DIR`, could redirect it to another repository. */
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

/** For every git process: no fetching, prompts, pager or editor; untranslated messages. */
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
  GIT_CONFIG_COUNT: String(Object.keys(settings).length),
  ...Object.fromEntries(
    Object.entries(settings).flatMap(([key, value], at) => [
      [`GIT_CONFIG_KEY_${at}`, key],
      [`GIT_CONFIG_VALUE_${at}`, value],
    ]),
  ),
};

/** Environment in which git reads only the settings of the repository. */
export function gitEnvironment(): NodeJS.ProcessEnv {
  return { ...userEnvironment(), GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };
}

/** Environment in which git also reads user and system settings. */
export function userEnvironment(): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = { ...constant };
  for (const name of passedOn) {
    const value = process.env[name];
    if (value !== undefined) environment[name] = value;
  }
  return environment;
}
