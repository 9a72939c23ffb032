import { readFileSync } from 'node:fs';
import { transform } from 'esbuild';

const template = readFileSync(new URL('launcher.cjs', import.meta.url), 'utf8');

/** Returns the launcher of a command, and a variant that records V8's code cache. */
export async function launcherSource(name, files) {
  return {
    forUse: `#!/usr/bin/env node\n${await filledIn(files, { library: `../lib/${name}`, isWarmUp: false })}`,
    forWarmUp: await filledIn(files, { library: '.', isWarmUp: true }),
  };
}

async function filledIn(files, { library, isWarmUp }) {
  const [first, ...later] = files;
  const fileById = Object.fromEntries(later.flatMap(({ ids, name }) => ids.map((id) => [id, name])));
  const { code } = await transform(template, {
    define: {
      LIBRARY: JSON.stringify(library),
      FIRST_FILE: JSON.stringify(first.name),
      FILES: JSON.stringify(fileById),
      HAS_MODULES: String(files.some((file) => file.isModule)),
      IS_WARM_UP: String(isWarmUp),
    },
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    minify: true,
  });
  return code;
}
