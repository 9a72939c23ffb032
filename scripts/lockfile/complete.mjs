/**
 * Native tools come as one optional package per platform, and `npm ci` requires all of them in the lock file. But `npm
 * install` omits packages that the registry does not have, for example if it is a mirror with few platforms
 * (npm/cli#9846). The lock file itself contains everything needed to add them.
 */

const systems = new Set([
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
]);
const processors = new Set([
  'arm',
  'arm64',
  'ia32',
  'loong64',
  'mips64el',
  'ppc64',
  'riscv64',
  's390x',
  'wasm32',
  'x64',
]);

/** Sorts like npm, so that npm changes nothing afterwards. */
const byName = ([one], [other]) => one.localeCompare(other, 'en');

/** Package names contain the platform, as in `binding-linux-arm64-musl`. */
function platformOf(name) {
  const words = name.split(/[/-]/);
  const os = words.filter((word) => systems.has(word));
  const cpu = words.filter((word) => processors.has(word));
  if (cpu.length !== 1)
    throw new Error(`${name}: its name does not show its platform; add it to the lock file yourself`);
  const libc = words.some((word) => word.startsWith('musl')) ? ['musl'] : ['glibc'];
  return { cpu, ...(os.includes('linux') ? { libc } : {}), ...(os.length > 0 ? { os } : {}) };
}

/** Node looks in the package's own node_modules first, then in those of every folder above. */
function possiblePaths(path, name) {
  const folders = path
    .split('/node_modules/')
    .map((_, index, parts) => parts.slice(0, index + 1).join('/node_modules/'));
  return [...folders, ''].map((folder) => (folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`));
}

export function missingEntries(packages) {
  const wanted = Object.entries(packages).flatMap(([path, { dev, optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => possiblePaths(path, name).every((possible) => packages[possible] === undefined))
      .map(([name, version]) => ({ name, version, dev })),
  );
  return Object.fromEntries(
    wanted.map(({ name, version, dev }) => {
      if (!/^\d/.test(version))
        throw new Error(`${name}: ${version} is not a single version; add it to the lock file yourself`);
      const details = Object.entries({ ...platformOf(name), ...(dev ? { dev } : {}), optional: true });
      return [`node_modules/${name}`, { version, ...Object.fromEntries(details.sort(byName)) }];
    }),
  );
}

export function withEntries(packages, added) {
  return Object.fromEntries(Object.entries({ ...packages, ...added }).sort(byName));
}
