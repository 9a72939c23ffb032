/**
 * The file that people run. It loads the parts of a command, with V8's code cache if there is one, and starts the
 * command.
 *
 * This file is a template. The build replaces the names in capitals, removes the code that only the warm-up needs, and
 * minifies the rest.
 */
'use strict';
const { existsSync, readFileSync } = require('node:fs');
const { join } = require('node:path');
const { Script } = require('node:vm');

function refuse(reason) {
  process.stderr.write(`${reason}\n`);
  process.exit(1);
}

const { node } = process.versions;
const [major, minor] = node.split('.').map(Number);
if (process.platform === 'win32') refuse('Holdfast does not run on Windows. Use the Windows Subsystem for Linux.');
// npm only warns about an unsupported version, and Debian 12 has Node 18.
if (major < 20 || (major === 20 && minor < 19)) refuse(`Holdfast needs Node.js 20.19 or later. This is ${node}.`);
const library = join(__dirname, LIBRARY);
// V8 itself refuses a cache from another version or with other flags. The version is part of the name, so that caches
// for several versions can exist side by side. V8 recognises a changed source only by its length, so the names of the
// files contain a hash of their content.
const cacheSuffix = `.${process.versions.v8}-${process.arch}.cache`;
// Node applies source maps only to files that it loads itself.
const isDebugging = Boolean(process.env.HOLDFAST_DEBUG) && !IS_WARM_UP;
if (isDebugging) process.setSourceMapsEnabled(true);
const compiled = [];
const isLoadedByNode = isDebugging || (!IS_WARM_UP && hasCompileCache());

/**
 * Turns on Node's compile cache if this package has no code cache; returns whether it did. An installed package has
 * none, because a cache fits only one version of V8. From version 22.8 on, Node can keep a cache in the data home.
 */
function hasCompileCache() {
  if (existsSync(join(library, FIRST_FILE) + cacheSuffix)) return false;
  const { enableCompileCache } = require('node:module');
  if (enableCompileCache === undefined) return false;
  const { HOLDFAST_HOME, XDG_DATA_HOME, HOME } = process.env;
  const data = XDG_DATA_HOME?.startsWith('/') ? XDG_DATA_HOME : join(HOME ?? '/', '.local/share');
  const home = HOLDFAST_HOME || join(data, 'holdfast');
  if (!existsSync(home)) return false;
  enableCompileCache(join(home, 'cache'));
  return true;
}

function functionsIn(file) {
  const path = join(library, file);
  if (isLoadedByNode) return require(path);
  const source = readFileSync(path, file.endsWith('.utf8.cjs') ? 'utf8' : 'latin1');
  const script = new Script(source, { filename: path, cachedData: cachedDataOf(path) });
  if (IS_WARM_UP) compiled.push({ path, script });
  return script.runInThisContext();
}

function cachedDataOf(path) {
  try {
    return readFileSync(path + cacheSuffix);
  } catch {
    return undefined;
  }
}

// Built-in modules that take 0.3 to 7 ms to load. Source files import them at the top, but most commands never use
// them.
const SLOW_TO_LOAD = new Set(
  (
    'child_process crypto dns fs/promises http http2 https module net os readline ' +
    'stream/promises tls tty v8 worker_threads zlib'
  ).split(' '),
);

/** Returns an object that loads the built-in module when a property is first read. */
function requireLater(id) {
  let loaded;
  // Cached here, because `require` looks a module up on each call, and some properties are read for every request.
  const load = () => (loaded ??= require(id));
  const reflect = (trap) => [trap, (_, ...rest) => Reflect[trap](load(), ...rest)];
  return new Proxy(
    {},
    {
      ...Object.fromEntries(['get', 'has', 'ownKeys'].map(reflect)),
      // A proxy may report a property as non-configurable only if its target has the property. The target here is
      // empty.
      getOwnPropertyDescriptor: (_, key) => {
        const descriptor = Reflect.getOwnPropertyDescriptor(load(), key);
        return descriptor && { ...descriptor, configurable: true };
      },
    },
  );
}

const functions = functionsIn(FIRST_FILE);
const firstPath = join(library, FIRST_FILE);
const modules = {};

// Loaded modules by id. Most parts need the same few modules, and Node's `require` takes 3 µs even for a loaded one.
const outside = {};

function requireOutside(id) {
  return (outside[id] ??= SLOW_TO_LOAD.has(id.replace('node:', '')) ? requireLater(id) : require(id));
}

function requirePart(id) {
  if (!id.startsWith('./')) return requireOutside(id);
  const loaded = modules[id];
  if (loaded !== undefined) return loaded.exports;
  if (functions[id] === undefined) Object.assign(functions, functionsIn(FILES[id]));
  const module = (modules[id] = { exports: {} });
  try {
    functions[id](module.exports, requirePart, module, firstPath, library, part);
  } catch (error) {
    // Forgets the incomplete module, so that the next attempt does not return it.
    delete modules[id];
    throw error;
  }
  return module.exports;
}

async function importPart(id) {
  const file = FILES[id] ?? FIRST_FILE;
  return file.endsWith('.mjs') ? import(require('node:url').pathToFileURL(join(library, file)).href) : requirePart(id);
}

const part = {
  import: importPart,
  get url() {
    return require('node:url').pathToFileURL(firstPath).href;
  },
};
if (HAS_MODULES) globalThis[Symbol.for('holdfast.parts')] = { require: requirePart, import: importPart };

if (IS_WARM_UP) {
  process.on('exit', () => {
    const { renameSync, writeFileSync } = require('node:fs');
    // V8 accepts a cache only with the flags it was made with, so this resets flags that commands change: the SQLite
    // driver sets --expose-gc to collect garbage, and the server makes its heap grow more slowly.
    for (const flag of ['--no-expose-gc', '--heap-growing-percent=0']) require('node:v8').setFlagsFromString(flag);
    for (const { path, script } of compiled) {
      const temporary = `${path}.${process.pid}.tmp`;
      writeFileSync(temporary, script.createCachedData(), { flush: true });
      renameSync(temporary, path + cacheSuffix);
    }
  });
}
requirePart('./main.js');
