import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

import { MEBIBYTE } from '@holdfast/base';

import { gitEnvironment, userEnvironment } from './environment.ts';
import { gitErrors } from './errors.ts';
import { locateGit } from './locate.ts';

export type Setting = readonly [key: string, value: string];

/**
 * Repository settings that we pass to git. None of these settings can name a program, a file or another computer.
 * Everything else in `.git/config` is ignored.
 */
const repositorySettings = [
  /^core\.(repositoryformatversion|filemode|symlinks|ignorecase|precomposeunicode|protecthfs|protectntfs)$/,
  /^core\.(autocrlf|eol|safecrlf|checkstat|trustctime|logallrefupdates|sharedrepository)$/,
  /^core\.sparsecheckout(cone)?$/,
  /^index\.sparse$/,
  /^extensions\.(objectformat|compatobjectformat|refstorage|preciousobjects|relativeworktrees)$/,
  /^(user|author|committer)\.(name|email)$/,
  /^user\.useconfigonly$/,
];

/** User settings that we pass on to git. They may also name the user's ignore and attribute files. */
const userSettings = [
  /^core\.(autocrlf|eol|safecrlf|precomposeunicode|excludesfile|attributesfile)$/,
  /^(user|author|committer)\.(name|email)$/,
  /^user\.useconfigonly$/,
];

export function keptOfRepository(settings: readonly Setting[]): Setting[] {
  return settings.filter(([key]) => repositorySettings.some((pattern) => pattern.test(key)));
}

export function keptOfUser(settings: readonly Setting[]): Setting[] {
  return settings.filter(([key]) => userSettings.some((pattern) => pattern.test(key)));
}

/** Reads one file without its includes. */
export function readSettings(file: string): Setting[] {
  // Runs outside any repository, so git reads no other settings.
  const env = { ...gitEnvironment(), GIT_DIR: '/dev/null' };
  return existsSync(file) ? list(['--file', file, '--no-includes'], env) : [];
}

/**
 * Returns the push URL of a remote, for the repository that contains the folder; undefined if it has no such remote.
 */
export function remoteUrl(folder: string, remote: string): string | undefined {
  const location = locateGit(folder);
  if (location === undefined) return undefined;
  const settings = new Map(readSettings(join(location.commonDir, 'config')));
  return settings.get(`remote.${remote}.pushurl`) ?? settings.get(`remote.${remote}.url`);
}

/** Reads user and system settings, including `includeIf`, which depends on the repository. */
export function readUserSettings(repository: NodeJS.ProcessEnv): Setting[] {
  const fields = list(['--show-scope', '--includes'], { ...userEnvironment(), ...repository });
  return fields.flatMap(([scope], at) => {
    const setting = fields[at + 1];
    return at % 2 === 0 && setting !== undefined && ['system', 'global'].includes(scope) ? [setting] : [];
  });
}

/** Files whose modification times show whether the user settings must be read again. */
export function userSettingsFiles(): string[] {
  const home = process.env['HOME'] ?? homedir();
  const config = process.env['XDG_CONFIG_HOME'] ?? join(home, '.config');
  return ['/etc/gitconfig', join(config, 'git', 'config'), join(home, '.gitconfig')];
}

function list(source: readonly string[], env: NodeJS.ProcessEnv): Setting[] {
  const args = ['config', '--list', '-z', ...source];
  const { error, status, stdout, stderr } = spawnSync('git', args, { env, encoding: 'utf8', maxBuffer: 16 * MEBIBYTE });
  if (error !== undefined) throw gitErrors.GIT_FAILED(`git cannot be started: ${error.message}`, { cause: error });
  if (status !== 0) throw gitErrors.GIT_FAILED(`git config ended with ${status}: ${stderr.trim()}`);
  return stdout
    .split('\0')
    .slice(0, -1)
    .map((entry) => {
      const end = entry.indexOf('\n');
      return end < 0 ? [entry, 'true'] : [entry.slice(0, end), entry.slice(end + 1)];
    });
}

export function configText(settings: readonly Setting[]): string {
  return settings
    .map(([key, value]) => {
      const [section = '', name = ''] = key.split('.');
      return `[${section}]\n\t${name} = "${escaped(value)}"\n`;
    })
    .join('');
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
