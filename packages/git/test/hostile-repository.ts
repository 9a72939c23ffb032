import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Settings that name a program, directly or indirectly. `COMMAND` is replaced with a program that leaves a mark. A test
 * compares this list with all such keys in `git help --config`.
 */
export const plantedSettings: readonly (readonly [key: string, value: string])[] = [
  ['alias.status', '!COMMAND'],
  ['alias.evil', '!COMMAND'],
  ['browser.evil.cmd', 'COMMAND'],
  ['browser.evil.path', 'COMMAND'],
  ['bundle.evil.uri', 'ext::COMMAND'],
  ['core.alternateRefsCommand', 'COMMAND'],
  ['core.askPass', 'COMMAND'],
  ['core.editor', 'COMMAND'],
  ['core.fsmonitor', 'COMMAND'],
  ['core.gitProxy', 'COMMAND'],
  ['core.hooksPath', 'HOOKS'],
  ['core.pager', 'COMMAND'],
  ['core.sshCommand', 'COMMAND'],
  ['credential.helper', '!COMMAND'],
  ['credential.https://example.org.helper', '!COMMAND'],
  ['diff.evil.command', 'COMMAND'],
  ['diff.evil.textconv', 'COMMAND'],
  ['diff.evil.cachetextconv', 'true'],
  ['diff.external', 'COMMAND'],
  ['diff.guitool', 'evil'],
  ['diff.tool', 'evil'],
  ['difftool.evil.cmd', 'COMMAND'],
  ['difftool.evil.path', 'COMMAND'],
  ['extensions.partialClone', 'evil'],
  ['filter.evil.clean', 'COMMAND'],
  ['filter.evil.process', 'COMMAND'],
  ['filter.evil.smudge', 'COMMAND'],
  ['filter.lfs.clean', 'COMMAND'],
  ['filter.lfs.process', 'COMMAND'],
  ['filter.lfs.smudge', 'COMMAND'],
  ['gpg.openpgp.program', 'COMMAND'],
  ['gpg.program', 'COMMAND'],
  ['gpg.ssh.defaultKeyCommand', 'COMMAND'],
  ['gpg.ssh.program', 'COMMAND'],
  ['gpg.x509.program', 'COMMAND'],
  ['commit.gpgSign', 'true'],
  ['tag.gpgSign', 'true'],
  ['push.gpgSign', 'true'],
  ['log.showSignature', 'true'],
  ['merge.verifySignatures', 'true'],
  ['guitool.evil.cmd', 'COMMAND'],
  ['help.autoCorrect', 'immediate'],
  ['help.browser', 'evil'],
  ['http.proxy', 'COMMAND'],
  ['imap.tunnel', 'COMMAND'],
  ['include.path', 'INCLUDED'],
  ['includeIf.gitdir:/.path', 'INCLUDED'],
  ['init.templateDir', 'HOOKS'],
  ['instaweb.browser', 'COMMAND'],
  ['instaweb.httpd', 'COMMAND'],
  ['instaweb.modulePath', 'COMMAND'],
  ['interactive.diffFilter', 'COMMAND'],
  ['man.evil.cmd', 'COMMAND'],
  ['man.evil.path', 'COMMAND'],
  ['man.viewer', 'evil'],
  ['merge.evil.driver', 'COMMAND'],
  ['merge.evil.recursive', 'evil'],
  ['merge.default', 'evil'],
  ['merge.guitool', 'evil'],
  ['merge.tool', 'evil'],
  ['mergetool.evil.cmd', 'COMMAND'],
  ['mergetool.evil.path', 'COMMAND'],
  ['pager.diff', 'COMMAND'],
  ['pager.log', 'COMMAND'],
  ['pager.status', 'COMMAND'],
  ['protocol.allow', 'always'],
  ['protocol.ext.allow', 'always'],
  ['remote.evil.promisor', 'true'],
  ['remote.evil.partialclonefilter', 'blob:none'],
  ['remote.evil.proxy', 'COMMAND'],
  ['remote.evil.receivepack', 'COMMAND'],
  ['remote.evil.uploadpack', 'COMMAND'],
  ['remote.evil.url', 'REPOSITORY'],
  ['remote.other.promisor', 'true'],
  ['remote.other.url', 'ext::COMMAND'],
  ['remote.other.vcs', 'ext'],
  ['sendemail.ccCmd', 'COMMAND'],
  ['sendemail.tocmd', 'COMMAND'],
  ['sendemail.headerCmd', 'COMMAND'],
  ['sendemail.sendmailCmd', 'COMMAND'],
  ['sendemail.smtpServer', 'COMMAND'],
  ['sequence.editor', 'COMMAND'],
  ['ssh.variant', 'simple'],
  ['submodule.recurse', 'true'],
  ['submodule.sub.active', 'true'],
  ['submodule.sub.update', '!COMMAND'],
  ['submodule.sub.url', 'ext::COMMAND'],
  ['diff.ignoreSubmodules', 'none'],
  ['diff.submodule', 'diff'],
  ['status.submoduleSummary', 'true'],
  ['trailer.sign.cmd', 'COMMAND'],
  ['trailer.sign.command', 'COMMAND'],
  ['uploadpack.packObjectsHook', 'COMMAND'],
  ['url.ext::COMMAND.insteadOf', 'https://'],
  ['url.ext::COMMAND.pushInsteadOf', 'https://'],
  ['web.browser', 'evil'],
];

/** All hooks in githooks(5). */
const hooks =
  'applypatch-msg pre-applypatch post-applypatch pre-commit pre-merge-commit prepare-commit-msg commit-msg post-commit ' +
  'pre-rebase post-checkout post-merge pre-push pre-receive update proc-receive post-receive post-update ' +
  'reference-transaction push-to-checkout pre-auto-gc post-rewrite sendemail-validate fsmonitor-watchman p4-changelist ' +
  'p4-prepare-changelist p4-post-changelist p4-pre-submit post-index-change';

export interface HostileRepository {
  readonly folder: string;
  readonly head: string;
  /** Runs plain git, which obeys the repository's configuration. Ignores failures. */
  readonly git: (...args: string[]) => void;
  /** Returns the names of the programs that have run since the last call. */
  readonly ran: () => string[];
  readonly remove: () => void;
}

/**
 * A repository whose settings and hooks start programs wherever git allows it. Its branch `side` merges into `main`
 * cleanly, and `clash` conflicts with it.
 */
export function makeHostileRepository(): HostileRepository {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'holdfast-hostile-')));
  const folder = join(base, 'repository');
  mkdirSync(folder);
  const traps = new Traps(base);
  git(folder, ['init', '-q', '-b', 'main']);
  addFiles(folder);
  addSubmodule(folder);
  makeHistory(folder);
  const head = git(folder, ['rev-parse', 'refs/heads/main']);
  plant(folder, traps, '');
  plant(join(folder, 'sub'), traps, 'submodule-');
  return {
    folder,
    head,
    git: (...args) => attempt(() => git(folder, args)),
    ran: () => traps.ran(),
    remove: () => rmSync(base, { recursive: true }),
  };
}

/** Programs that leave a mark with their name, then fail. */
class Traps {
  readonly #programs: string;
  readonly #marks: string;

  constructor(base: string) {
    this.#programs = join(base, 'programs');
    this.#marks = join(base, 'marks');
    mkdirSync(this.#programs);
    mkdirSync(this.#marks);
  }

  program(trap: string): string {
    const name = trap.replaceAll(/[^\w.-]/g, '_');
    const path = join(this.#programs, name);
    writeFileSync(path, `#!/bin/sh\n: > '${join(this.#marks, name)}'\nexit 1\n`);
    chmodSync(path, 0o755);
    return path;
  }

  ran(): string[] {
    const names = readdirSync(this.#marks).sort();
    for (const name of names) rmSync(join(this.#marks, name));
    return names;
  }
}

function plant(folder: string, traps: Traps, where: string): void {
  const gitDir = join(folder, '.git');
  const otherHooks = join(gitDir, 'other-hooks');
  const included = join(gitDir, 'included');
  for (const place of [join(gitDir, 'hooks'), join(otherHooks, 'hooks')]) mkdirSync(place, { recursive: true });
  for (const name of hooks.split(' ')) {
    const text = `#!/bin/sh\nexec ${traps.program(`${where}hook-${name}`)}\n`;
    for (const place of [join(gitDir, 'hooks'), otherHooks, join(otherHooks, 'hooks')]) {
      writeFileSync(join(place, name), text, { mode: 0o755 });
    }
  }
  writeFileSync(included, `[core]\n\tfsmonitor = ${traps.program(`${where}included-fsmonitor`)}\n`);
  const lines = plantedSettings.map(([pattern, text]) => {
    const program = traps.program(where + pattern);
    const key = pattern.replace('COMMAND', program);
    const value = text.replace('COMMAND', program).replace('HOOKS', otherHooks).replace('INCLUDED', included);
    const [, section, name, last] = /^([^.]+)(?:\.(.+))?\.([^.]+)$/.exec(key) ?? [];
    const heading = name === undefined ? section : `${section} "${name}"`;
    return `[${heading}]\n\t${last} = ${value.replace('REPOSITORY', folder)}\n`;
  });
  appendFileSync(join(gitDir, 'config'), `${lines.join('')}[core]\n\trepositoryFormatVersion = 1\n`);
}

function addFiles(folder: string): void {
  writeFileSync(join(folder, '.gitattributes'), '*.txt filter=evil diff=evil merge=evil\n*.bin filter=lfs diff=lfs\n');
  for (const name of ['a.txt', 'b.txt']) writeFileSync(join(folder, name), 'one\n');
  writeFileSync(join(folder, 'c.bin'), 'missing\n');
}

/** Adds a submodule with hostile settings. One of its files has changed, so git has to read it. */
function addSubmodule(folder: string): void {
  const sub = join(folder, 'sub');
  mkdirSync(sub);
  git(sub, ['init', '-q', '-b', 'main']);
  writeFileSync(join(sub, '.gitattributes'), '*.txt filter=evil diff=evil\n');
  writeFileSync(join(sub, 'inner.txt'), 'one\n');
  commitAll(sub, 'inner');
  writeFileSync(join(sub, 'inner.txt'), 'two\n');
  writeFileSync(join(folder, '.gitmodules'), '[submodule "sub"]\n\tpath = sub\n\turl = ./sub\n\tignore = none\n');
}

function makeHistory(folder: string): void {
  commitAll(folder, 'first');
  const missing = git(folder, ['rev-parse', 'HEAD:c.bin']);
  writeFileSync(join(folder, 'c.bin'), 'two\n');
  commitAll(folder, 'second');
  for (const [branch, file] of [
    ['side', 'b.txt'],
    ['clash', 'a.txt'],
  ] as const) {
    git(folder, ['checkout', '-q', '-b', branch, 'main']);
    writeFileSync(join(folder, file), `${branch}\n`);
    commitAll(folder, branch);
  }
  git(folder, ['checkout', '-q', 'main']);
  writeFileSync(join(folder, 'a.txt'), 'main\n');
  commitAll(folder, 'third');
  signFalsely(folder);
  // Deletes an old version of `c.bin`, as in a partial clone: to read this version, git would have to fetch it.
  rmSync(join(folder, '.git', 'objects', missing.slice(0, 2), missing.slice(2)));
}

/** Showing this signature makes plain git run the configured program. */
function signFalsely(folder: string): void {
  const text = git(folder, ['cat-file', 'commit', 'HEAD']);
  const signature = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n iQ==\n -----END PGP SIGNATURE-----\n\n';
  const input = `${text.replace('\n\n', `\n${signature}`)}\n`;
  git(folder, ['update-ref', 'refs/heads/main', git(folder, ['hash-object', '-t', 'commit', '-w', '--stdin'], input)]);
}

function commitAll(folder: string, message: string): void {
  git(folder, ['add', '--all']);
  git(folder, ['commit', '-qm', message]);
}

function git(folder: string, args: readonly string[], input = ''): string {
  const who = ['-c', 'user.name=tester', '-c', 'user.email=tester@localhost'];
  const env = { ...process.env, GIT_CONFIG_NOSYSTEM: '1', GIT_TERMINAL_PROMPT: '0' };
  return execFileSync('git', [...who, ...args], { cwd: folder, env, input, encoding: 'utf8', stdio: 'pipe' }).trim();
}

function attempt(action: () => unknown): void {
  try {
    action();
  } catch {
    // The planted programs fail, so git often fails too.
  }
}
