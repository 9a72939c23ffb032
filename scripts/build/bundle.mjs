/**
 * Bundles sources into parts.
 *
 * esbuild splits only ES modules, and Node starts CommonJS faster. So sources are bundled and split as ES modules, and
 * each part is then converted to CommonJS: lazy imports stay separate parts, and a shared module exists once.
 */
import { basename } from 'node:path';
import { build } from 'esbuild';
import { root } from './commands.mjs';
import { commonJs, isTopLevelAwait, markDynamicImports } from './common-js.mjs';
import { NOT_BUNDLED, nativePlugin } from './native.mjs';
import { zodPlugin } from './zod.mjs';

/**
 * Returns the parts of a command and their source files. A part is `{ id, code, map, needs, exports, isModule }`;
 * `needs` lists the parts that it imports statically.
 */
export async function bundle(command) {
  const result = await build({
    entryPoints: { main: command.entry },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['holdfast-source'],
    define: { 'process.env.NODE_ENV': '"production"', 'import.meta.url': '__part.url' },
    external: NOT_BUNDLED,
    // The main file of this package loads its parts in a way that a bundler cannot follow.
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    legalComments: 'none',
    minify: true,
    sourcemap: 'external',
    metafile: true,
    write: false,
    absWorkingDir: root,
    outdir: 'parts',
    logLevel: 'warning',
    plugins: [nativePlugin, zodPlugin],
  });
  const inputs = Object.keys(result.metafile.inputs);
  warnOfWaste(result.metafile.outputs, command.name);
  const textByName = new Map(result.outputFiles.map((file) => [basename(file.path), file.text]));
  const outputs = Object.entries(result.metafile.outputs).filter(([path]) => path.endsWith('.js'));
  const parts = await Promise.all(outputs.map(([path, output]) => partOf(path, output, textByName)));
  return { parts: withModulesMarked(parts), inputs };
}

async function partOf(path, output, textByName) {
  const inside = output.imports.filter((edge) => edge.external !== true);
  const dynamic = inside.filter((edge) => edge.kind === 'dynamic-import').map((edge) => idOf(edge.path));
  const source = markDynamicImports(textByName.get(basename(path)), dynamic);
  const sourceMap = textByName.get(`${basename(path)}.map`);
  const part = {
    id: idOf(path),
    needs: inside.filter((edge) => edge.kind === 'import-statement').map((edge) => idOf(edge.path)),
    exports: output.exports,
  };
  try {
    return { ...part, source, isModule: false, ...(await commonJs(source, sourceMap)) };
  } catch (error) {
    if (!isTopLevelAwait(error)) throw error;
    return { ...part, source, isModule: true };
  }
}

/** A part with top-level await must be an ES module, and so must its dependents. */
function withModulesMarked(parts) {
  const modules = new Set(parts.filter((part) => part.isModule).map((part) => part.id));
  for (let before = -1; before < modules.size;) {
    before = modules.size;
    for (const part of parts) if (part.needs.some((id) => modules.has(id))) modules.add(part.id);
  }
  if (modules.has('./main.js')) throw new Error('the start of a command must not await at the top level of a module');
  return parts.map((part) => ({ ...part, isModule: modules.has(part.id) }));
}

function idOf(path) {
  return `./${basename(path)}`;
}

/** Warns if a source file imports all of zod; see zod.mjs. */
function warnOfWaste(outputs, name) {
  const sizes = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  if (sizes.some(([path, { bytesInOutput }]) => path.includes('zod/v4/locales/fr.') && bytesInOutput > 0)) {
    process.stderr.write(
      `${name}: the bundle contains all of zod; look for code that does not use import * as z from 'zod'\n`,
    );
  }
}
