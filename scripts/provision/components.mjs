/**
 * The real programs that tests and features use. Data only; plan.mjs decides how to install them.
 *
 * `header` is a C header that must exist too: a compiler alone cannot compile. A program with `npmFolder` (inside the
 * cache folder) is never searched on PATH. `unpacked` describes a program whose Debian packages are unpacked into the
 * folder `{root}` instead of installed: its real path if `usr/bin` has only a script, its arguments and environment.
 */

export const components = [
  {
    name: 'git',
    binary: 'git',
    versionArgs: ['--version'],
    neededFor: 'history of notebooks, worktrees of workers, and plans that belong to a repository',
    debianPackages: ['git'],
    brew: 'git',
    unpacked: {
      environment: {
        GIT_EXEC_PATH: '{root}/usr/lib/git-core',
        GIT_TEMPLATE_DIR: '{root}/usr/share/git-core/templates',
      },
    },
  },
  {
    name: 'sqlite3',
    binary: 'sqlite3',
    versionArgs: ['--version'],
    neededFor: 'reading our files with a second, independent program',
    debianPackages: ['sqlite3'],
    brew: 'sqlite',
  },
  {
    name: 'tmux',
    binary: 'tmux',
    versionArgs: ['-V'],
    neededFor: 'worker windows, and tests of full-screen interfaces in a real terminal',
    debianPackages: ['tmux'],
    brew: 'tmux',
  },
  {
    name: 'taskwarrior',
    binary: 'task',
    versionArgs: ['--version'],
    neededFor: 'import and export checked against the real program',
    debianPackages: ['taskwarrior'],
    brew: 'task',
  },
  {
    name: 'nats-server',
    binary: 'nats-server',
    versionArgs: ['--version'],
    neededFor: 'the NATS engine and its conformance tests',
    debianPackages: ['nats-server'],
    brew: 'nats-server',
  },
  {
    name: 'openssl',
    binary: 'openssl',
    versionArgs: ['version'],
    neededFor: 'the certificates of servers in tests',
    debianPackages: ['openssl'],
    brew: 'openssl',
  },
  {
    name: 'ffmpeg',
    binary: 'ffmpeg',
    versionArgs: ['-version'],
    neededFor: 'joining and converting audio',
    debianPackages: ['ffmpeg'],
    brew: 'ffmpeg',
  },
  {
    name: 'ffprobe',
    binary: 'ffprobe',
    versionArgs: ['-version'],
    neededFor: 'durations and tags of audio files',
    debianPackages: ['ffmpeg'],
    brew: 'ffmpeg',
  },
  {
    name: 'chromium',
    binary: 'chromium',
    versionArgs: ['--version'],
    neededFor: 'tests of the pages in a real browser',
    debianPackages: ['chromium'],
    brew: 'chromium',
    unpacked: { program: 'usr/lib/chromium/chromium', environment: { FONTCONFIG_FILE: '{root}/../fonts.conf' } },
  },
  {
    name: 'gcc',
    binary: 'gcc',
    versionArgs: ['--version'],
    neededFor: 'the library that injects disk faults',
    debianPackages: ['gcc', 'libc6-dev'],
    brew: 'gcc',
    header: '/usr/include/stdio.h',
    unpacked: { args: ['--sysroot={root}', '-B{root}/usr/bin'] },
  },
  node('22.23.3', 'running the installed package on Node 22 as well'),
  node('24.21.0', 'running the unit tests and the installed package on Node 24 as well'),
  node('26.10.0', 'running the installed package on Node 26 as well'),
];

function node(version, neededFor) {
  return {
    name: `node${version.split('.', 1)[0]}`,
    binary: 'node',
    versionArgs: ['--version'],
    neededFor,
    debianPackages: [],
    npmPackage: `node@${version}`,
    // Not in the project's node_modules: there, this package's `node` would replace the one that runs npm scripts.
    npmFolder: `node-${version}`,
  };
}

export function selectComponents(names) {
  const unknown = names.filter((name) => !components.some((component) => component.name === name));
  if (unknown.length > 0) {
    const known = components.map((component) => component.name).join(', ');
    throw new TypeError(`unknown component: ${unknown.join(', ')} (known: ${known})`);
  }
  return names.length === 0 ? components : components.filter((component) => names.includes(component.name));
}
