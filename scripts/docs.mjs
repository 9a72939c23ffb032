/**
 * `npm run docs`: generates the documents that derive from code. With `--check` it writes nothing and fails if a
 * document is outdated.
 */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { repositoryFolder } from './provision/folders.mjs';

const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
const main = join(repositoryFolder, 'scripts', 'docs', 'main.ts');
const { status } = spawnSync(
  process.execPath,
  ['--import', tsx, '--conditions=holdfast-source', main, ...process.argv.slice(2)],
  { stdio: 'inherit', cwd: repositoryFolder },
);
process.exit(status ?? 1);
