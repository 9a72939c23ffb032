/**
 * Packages that stay outside the bundle. Native code must come from the package that npm installs for the user's
 * platform, not from the machine that built the bundle, and users must be able to replace LGPL code.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** package.json lists these packages as dependencies or optional dependencies. */
export const NOT_BUNDLED = ['@node-rs/argon2', '@node-rs/bcrypt', 'node-taglib-sharp', 'sharp'];

/**
 * The SQLite driver's JavaScript is bundled, because every command loads it. Its `node-gyp-build` would search folders
 * for the native file; the loader below computes the file's name instead.
 */
export const nativePlugin = {
  name: 'native-code',
  setup(build) {
    build.onResolve({ filter: /^node-gyp-build$/ }, ({ resolveDir }) => {
      const { name } = JSON.parse(readFileSync(join(packageDirectory(resolveDir), 'package.json'), 'utf8'));
      return { path: name, namespace: 'native-code' };
    });
    build.onLoad({ filter: /.*/, namespace: 'native-code' }, ({ path }) => ({ contents: loaderSource(path) }));
    // Lets the bundler find the driver's `require`. It still runs only on a Node version without a current built-in
    // SQLite.
    build.onLoad({ filter: /packages\/sqlite\/src\/driver\.ts$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8');
      const contents = source.replace("createRequire(import.meta.url)('@photostructure", "require('@photostructure");
      if (contents === source) throw new Error(`${path} no longer loads the SQLite driver as expected`);
      return { contents, loader: 'ts' };
    });
  },
};

/** Looks for the package in our own node_modules, and next to our package, where npm may have hoisted it. */
function loaderSource(packageName) {
  return `
    const { existsSync } = require('node:fs');
    const { dirname, join } = require('node:path');
    const isMusl = process.platform === 'linux' && existsSync('/etc/alpine-release');
    const file = join('prebuilds', process.platform + '-' + process.arch,
      '${packageName.replace('/', '+')}.' + (isMusl ? 'musl' : 'glibc') + '.node');
    const near = ['../../../node_modules', '../../../..'].map((up) => join(__dirname, up, '${packageName}', file));
    const load = (path) => {
      const loaded = { exports: {} };
      process.dlopen(loaded, path);
      return loaded.exports;
    };
    module.exports = () => {
      const prebuilt = near.find((path) => existsSync(path));
      if (prebuilt !== undefined) return load(prebuilt);
      const { createRequire } = require('node:module');
      const folder = dirname(createRequire(join(__dirname, 'main.cjs')).resolve('${packageName}/package.json'));
      return createRequire(join(folder, 'package.json'))('node-gyp-build')(folder);
    };
  `;
}

function packageDirectory(directory) {
  return existsSync(join(directory, 'package.json')) ? directory : packageDirectory(dirname(directory));
}
