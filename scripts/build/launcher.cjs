/**
 * The file that people run: finds the parts of a command, compiled if possible, and starts it.
 *
 * This is a template. The build fills in the capitals, removes what only the warm-up needs, and minifies it.
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
// npm only warns of an unsupported version, and Debian 12 has Node 18.
if (major < 20 || (major === 20 && minor < 19)) refuse(`Holdfast needs Node.js 20.19 or later. This is ${node}.`);
const library = join(__dirname, LIBRARY);
// V8 refuses a cache of another version or with other flags by itself; the name keeps the versions side by side. It
// knows the source by its length only, so the names of the files carry a hash of their content.
const cacheSuffix = `.${process.versions.v8}-${process.arch}.cache`;
// Node applies source maps to what it loads itself.
const isDebugging = Boolean(process.env.HOLDFAST_DEBUG) && !IS_WARM_UP;
if (isDebugging) process.setSourceMapsEnabled(true);
const compiled = [];
const isLoadedByNode = isDebugging || (!IS_WARM_UP && hasCompileCache());

/**
 * An installed package has no cache of its own, because it would be for one version of V8 only. Node keeps one in the
 * data home from version 22.8 on.
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

// Built-in modules that take 0.3 to 7 ms to load. Source files import them at the top, but most commands never use them.
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
      // What is described must not be fixed, because the object that stands for the module does not have it.
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

// Most parts need the same few modules, and Node's `require` takes 3 µs even for a loaded one.
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
    // Half a module must not be taken for a whole one by whoever tries again.
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
    // A cache is good only for the flags it was made with, and the SQLite driver turns this one on to collect garbage.
    require('node:v8').setFlagsFromString('--no-expose-gc');
    for (const { path, script } of compiled) {
      const temporary = `${path}.${process.pid}.tmp`;
      writeFileSync(temporary, script.createCachedData(), { flush: true });
      renameSync(temporary, path + cacheSuffix);
    }
  });
}
requirePart('./main.js');
