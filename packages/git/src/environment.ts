/** Variables that git may see. Others, first of all `GIT_DIR` and its kin, would send it to another repository. */
const passedOn = ['PATH', 'HOME', 'XDG_CONFIG_HOME', 'TMPDIR', 'USER', 'LOGNAME', 'SystemRoot'];

const settings: Readonly<Record<string, string>> = {
  'core.hooksPath': '/dev/null',
  'core.fsmonitor': 'false',
  'core.quotePath': 'false',
  // What was committed is on disk when git says so.
  'core.fsync': 'all',
  'core.fsyncMethod': 'fsync',
  // What we read and write is UTF-8, whatever the user's terminal is.
  'i18n.logOutputEncoding': 'UTF-8',
  // No work in the background after we are gone.
  'gc.auto': '0',
  'maintenance.auto': 'false',
  // One pack for each import: two files to sync instead of one for each object.
  'fastimport.unpackLimit': '0',
};

/** For every git process. No fetching, no asking, no pager or editor; words that do not depend on the language. */
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

/** Of a git that reads no settings but those of the repository that it is told to work in. */
export function gitEnvironment(): NodeJS.ProcessEnv {
  return { ...userEnvironment(), GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };
}

/** Of a git that also reads the settings of the user and the system. */
export function userEnvironment(): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = { ...constant };
  for (const name of passedOn) {
    const value = process.env[name];
    if (value !== undefined) environment[name] = value;
  }
  return environment;
}
