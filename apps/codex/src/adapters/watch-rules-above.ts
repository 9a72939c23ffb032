import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

import { IgnoreRules } from '../model/ignore-rules.ts';

/**
 * The rules that git would apply to a folder from outside of it: `info/exclude` of its repository, and the `.gitignore`
 * files of the folders above it up to there.
 */
export function rulesAbove(root: string): IgnoreRules {
  const repository = repositoryAround(root);
  if (repository === undefined) return new IgnoreRules();
  const names = relative(repository, root)
    .split(sep)
    .filter((name) => name !== '');
  const rules = new IgnoreRules(names.map((name) => `${name}/`).join(''));
  addFrom(rules, '', join(repository, '.git', 'info', 'exclude'));
  for (const depth of names.keys()) {
    const above = names.slice(0, depth);
    addFrom(rules, above.map((name) => `${name}/`).join(''), join(repository, ...above, '.gitignore'));
  }
  return rules;
}

function repositoryAround(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return folder;
  const parent = dirname(folder);
  return parent === folder ? undefined : repositoryAround(parent);
}

function addFrom(rules: IgnoreRules, folder: string, path: string): void {
  if (existsSync(path) && lstatSync(path).isFile()) rules.addAt(folder, readFileSync(path, 'utf8'));
}
