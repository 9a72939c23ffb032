/**
 * Native code without a search.
 *
 * Packages with native code let node-gyp-build search folders for the right file. The build copies the files to
 * dist/native instead, so only a name is computed at run time.
 */
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const RESOLVING = Symbol('resolving the package itself');

/** Adds `{ name, directory }` to `found` for every package with native code. */
export function nativePlugin(found) {
  return {
    name: 'native-code',
    setup(build) {
      build.onResolve({ filter: /^node-gyp-build$/ }, ({ resolveDir }) => {
        const directory = packageDirectory(resolveDir);
        const { name } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
        if (!found.some((one) => one.name === name)) found.push({ name, directory });
        return { path: name, namespace: 'native-code' };
      });
      build.onLoad({ filter: /.*/, namespace: 'native-code' }, ({ path }) => ({ contents: loaderSource(path) }));
      // napi-rs packages keep their native code in one package per platform.
      build.onResolve({ filter: /^@node-rs\/[a-z0-9-]+$/ }, async ({ path, kind, resolveDir, pluginData }) => {
        if (pluginData === RESOLVING) return undefined;
        const { path: file } = await build.resolve(path, { kind, resolveDir, pluginData: RESOLVING });
        const directory = packageDirectory(dirname(file));
        if (!found.some((one) => one.name === path)) found.push({ name: path, directory });
        return { path, namespace: 'native-package' };
      });
      build.onLoad({ filter: /.*/, namespace: 'native-package' }, ({ path }) => ({
        contents: `${loaderSource(path)}\nmodule.exports = module.exports();`,
      }));
      // The ES module of this package finds its folder by import.meta.url, which bundles lack.
      build.onResolve({ filter: /^@photostructure\/sqlite$/ }, ({ kind, path, resolveDir }) =>
        kind === 'require-call' ? undefined : build.resolve(path, { kind: 'require-call', resolveDir }),
      );
    },
  };
}

function loaderSource(packageName) {
  return `
    const { existsSync } = require('node:fs');
    const { join } = require('node:path');
    module.exports = () => {
      const libc = process.platform === 'linux' && existsSync('/etc/alpine-release') ? 'musl' : 'glibc';
      const name = ['${slug(packageName)}', process.platform, process.arch, libc].join('-') + '.node';
      const loaded = { exports: {} };
      process.dlopen(loaded, join(__dirname, '../../native', name));
      return loaded.exports;
    };
  `;
}

/**
 * Copies native files for this machine: prebuilt ones for every C library, or the locally compiled one. Returns the
 * names of the copies.
 */
export function copyNativeFiles(packages, target) {
  return packages.flatMap(({ name, directory }) => {
    const prefix = `${slug(name)}-${process.platform}-${process.arch}`;
    const prebuilt = join(directory, 'prebuilds', `${process.platform}-${process.arch}`);
    const compiled = join(directory, 'build/Release');
    const copies = [
      ...nodeFilesIn(prebuilt).map((file) => [join(prebuilt, file), file.includes('musl') ? 'musl' : 'glibc']),
      ...nodeFilesIn(compiled).map((file) => [join(compiled, file), hostLibc()]),
      ...platformPackages(directory).flatMap((folder) =>
        nodeFilesIn(folder).map((file) => [join(folder, file), folder.endsWith('musl') ? 'musl' : 'glibc']),
      ),
    ];
    return copies.map(([from, libc]) => {
      copy(from, join(target, `${prefix}-${libc}.node`));
      return `${prefix}-${libc}.node`;
    });
  });
}

function copy(from, to) {
  mkdirSync(dirname(to), { recursive: true });
  if (existsSync(to) && readFileSync(to).equals(readFileSync(from))) return;
  // Under a new name first: a process that has loaded the old file keeps it.
  copyFileSync(from, `${to}.${process.pid}.tmp`);
  renameSync(`${to}.${process.pid}.tmp`, to);
}

/** For example `@node-rs/argon2-linux-x64-gnu` beside `@node-rs/argon2`. */
function platformPackages(directory) {
  const prefix = `${basename(directory)}-${process.platform}-${process.arch}`;
  return readdirSync(dirname(directory))
    .filter((name) => name.startsWith(prefix))
    .map((name) => join(dirname(directory), name));
}

function nodeFilesIn(directory) {
  return existsSync(directory) ? readdirSync(directory).filter((file) => file.endsWith('.node')) : [];
}

function hostLibc() {
  return existsSync('/etc/alpine-release') ? 'musl' : 'glibc';
}

function packageDirectory(directory) {
  return existsSync(join(directory, 'package.json')) ? directory : packageDirectory(dirname(directory));
}

function slug(packageName) {
  return packageName.replaceAll(/[^a-z0-9]+/gu, '-').replace(/^-/u, '');
}
