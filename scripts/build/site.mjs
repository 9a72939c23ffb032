/** Builds the dashboard from apps/web to dist/site and compresses it once, so the server need not. */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { root } from './commands.mjs';
import { hashOf, writeAtomically } from './files.mjs';

const web = resolve(root, 'apps/web');
/** Folders whose files are part of the dashboard; `FILES` lists single files. */
const SOURCES = ['apps/web/src', 'apps/web/public', 'packages/http/src/client', 'packages/base/src'];
const FILES = [
  'apps/web/index.html',
  'apps/web/diagram.html',
  'apps/web/vite.config.ts',
  'apps/web/package.json',
  'package-lock.json',
  'scripts/build/site.mjs',
];
const COMPRESSED = /\.(?:js|css|html|svg)$/u;
const SMALLEST = 512;
const LICENSES = 'site-licenses.json';
const DIAGRAM_ASSETS = 'assets/diagram';

/** Returns a word for the result, for example `unchanged`. */
export async function buildSite({ out, isForced = false }) {
  if (!existsSync(join(web, 'index.html'))) return 'no sources';
  const site = join(out, 'site');
  const stamp = join(out, 'lib/site.json');
  const inputs = inputHash();
  if (!isForced && existsSync(join(site, 'index.html')) && stampIn(stamp) === inputs) return 'unchanged';
  const fresh = join(out, `site.${process.pid}.tmp`);
  // Tests build the package too; with their NODE_ENV, React would add our source paths to the site.
  process.env['NODE_ENV'] = 'production';
  const { build } = await import('vite');
  const { output } = await build({
    root: web,
    logLevel: 'warn',
    build: { outDir: fresh, emptyOutDir: true, license: { fileName: LICENSES } },
  });
  const licenses = takeLicenses(fresh);
  await buildDiagramFrame(build, fresh);
  licenses.push(...takeLicenses(fresh));
  await buildServiceWorker(build, fresh, offlineFiles(output, fresh));
  licenses.push(...takeLicenses(fresh));
  writeAtomically(join(out, 'lib', LICENSES), JSON.stringify(licenses));
  const size = await compress(fresh);
  replace(site, fresh);
  writeAtomically(stamp, `${JSON.stringify({ inputs })}\n`);
  return `${(size / 1000).toFixed(1)} kB of script, gzipped`;
}

/**
 * Returns the files that the service worker stores. Leaves out fonts for scripts other than Latin, and the editor's
 * languages, which are many and load on first use.
 */
function offlineFiles(output, folder) {
  const chunks = new Map(output.map((each) => [each.fileName, each]));
  const needed = new Set();
  const add = (name) => {
    if (needed.has(name)) return;
    needed.add(name);
    for (const imported of chunks.get(name)?.imports ?? []) add(imported);
  };
  for (const name of chunks.keys()) {
    if (name.endsWith('.css') || /inter-latin-wght-normal.*\.woff2$/u.test(name)) add(name);
    if (name.endsWith('.js') && !name.includes('/note-part-')) add(name);
  }
  const named = ['theme.js', 'favicon.svg', 'favicon-waiting.svg', 'icon-192.png', 'manifest.webmanifest'];
  named.push('diagram.html');
  for (const path of filesIn(join(folder, DIAGRAM_ASSETS))) needed.add(relative(folder, path));
  return [
    { url: '/', revision: hashOf(readFileSync(join(folder, 'index.html'))) },
    ...named.map((name) => ({ url: `/${name}`, revision: hashOf(readFileSync(join(folder, name))) })),
    ...[...needed].map((name) => ({ url: `/${name}`, revision: null })),
  ];
}

/** A separate build, so that Mermaid shares no files with the pages and cannot make them larger. */
async function buildDiagramFrame(build, folder) {
  await build({
    root: web,
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    build: {
      outDir: folder,
      emptyOutDir: false,
      assetsDir: DIAGRAM_ASSETS,
      target: 'es2022',
      modulePreload: { polyfill: false },
      license: { fileName: LICENSES },
      reportCompressedSize: false,
      rolldownOptions: { input: join(web, 'diagram.html') },
    },
  });
}

async function buildServiceWorker(build, folder, files) {
  await build({
    root: web,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    resolve: { conditions: ['holdfast-source', 'module', 'browser', 'production'] },
    define: { FILES: JSON.stringify(files), BUILD: JSON.stringify(hashOf(JSON.stringify(files)).slice(0, 16)) },
    build: {
      outDir: folder,
      emptyOutDir: false,
      target: 'es2022',
      license: { fileName: LICENSES },
      reportCompressedSize: false,
      rolldownOptions: {
        input: join(web, 'src/offline/service-worker.ts'),
        output: { format: 'iife', entryFileNames: 'service-worker.js' },
      },
    },
  });
}

function takeLicenses(folder) {
  const path = join(folder, LICENSES);
  const licenses = JSON.parse(readFileSync(path, 'utf8'));
  rmSync(path);
  return licenses;
}

/** Writes `.br` and `.gz` next to each file; returns the gzip size of all scripts. */
async function compress(folder) {
  let scripts = 0;
  await Promise.all(
    filesIn(folder)
      .filter((path) => COMPRESSED.test(path))
      .map(async (path) => {
        const content = readFileSync(path);
        const [zipped, packed] = await Promise.all([
          promisify(gzip)(content, { level: 9 }),
          promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
        ]);
        if (path.endsWith('.js')) scripts += zipped.byteLength;
        if (content.byteLength < SMALLEST) return;
        writeFileSync(`${path}.gz`, zipped);
        writeFileSync(`${path}.br`, packed);
      }),
  );
  return scripts;
}

/** Replaces the folder with two renames, so it never holds an incomplete site. Servers keep a copy in memory. */
function replace(site, fresh) {
  const old = `${site}.${process.pid}.old`;
  if (existsSync(site)) renameSync(site, old);
  renameSync(fresh, site);
  rmSync(old, { recursive: true, force: true });
}

function inputHash() {
  const paths = [...SOURCES.flatMap((folder) => filesIn(join(root, folder))), ...FILES.map((file) => join(root, file))];
  return hashOf(paths.map((path) => `${relative(root, path)} ${hashOf(readFileSync(path))}`).join('\n'));
}

function stampIn(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).inputs;
  } catch {
    return undefined;
  }
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((item) => item.isFile())
    .map((item) => join(item.parentPath, item.name))
    .sort();
}
