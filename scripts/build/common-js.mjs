/** Converts an ES module part from esbuild into the body of a CommonJS function. */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transform } from 'esbuild';
import { root } from './commands.mjs';

/** Redirects imports of other parts to the launcher, which knows their location and kind. */
export function markDynamicImports(source, ids) {
  let marked = source;
  // Ids contain a content hash, so this replaces no other text.
  for (const id of new Set(ids)) marked = marked.replaceAll(`import("${id}")`, `__part.import("${id}")`);
  return marked;
}

export async function commonJs(source, sourceMap) {
  const mapUrl = `data:application/json;base64,${Buffer.from(sourceMap).toString('base64')}`;
  const { code, map } = await transform(`${withExportObject(source)}\n//# sourceMappingURL=${mapUrl}`, {
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    minify: true,
    sourcemap: 'external',
    legalComments: 'none',
    // Converts dynamic imports of built-in modules and unbundled packages to `require`, because vm.Script does not
    // support `import()`.
    supported: { 'dynamic-import': false },
    logLevel: 'silent',
  });
  const parsed = JSON.parse(map);
  const sources = parsed.sources.map((path) => pathToFileURL(resolve(root, 'parts', path)).href);
  return { code: code.trimEnd(), map: { ...parsed, sources, sourcesContent: undefined } };
}

/**
 * Replaces the export statement at the end of a part. esbuild would define each export twice, with
 * `Object.defineProperty`, which takes half a millisecond per command. Parts never import each other in a cycle, so no
 * part reads the exports before the end.
 */
function withExportObject(source) {
  return source.replace(/export\{([^{}]*)\};?\s*$/, (_statement, list) => {
    const getters = list.split(',').map((item) => {
      const [local, exported = local] = item.trim().split(' as ');
      return `get ${exported}(){return ${local}}`;
    });
    return `module.exports={${getters.join(',')}};`;
  });
}

export function isTopLevelAwait(error) {
  return error.errors?.some((one) => one.text.startsWith('Top-level await')) ?? false;
}
