import { closeSync, existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

import { openBeneath } from '@holdfast/base';

import { IgnoreRules } from '../model/ignore-rules.ts';

/**
 * Ignore rules that git applies to a folder from outside of it: `info/exclude` of its repository, and the `.gitignore`
 * files of its parents within the repository.
 */
export function rulesAbove(root: string): IgnoreRules {
  const repository = repositoryAround(root);
  if (repository === undefined) return new IgnoreRules();
  const names = relative(repository, root)
    .split(sep)
    .filter((name) => name !== '');
  const rules = new IgnoreRules(names.map((name) => `${name}/`).join(''));
  addFrom(rules, '', repository, '.git/info/exclude');
  for (const depth of names.keys()) {
    const above = names
      .slice(0, depth)
      .map((name) => `${name}/`)
      .join('');
    addFrom(rules, above, repository, `${above}.gitignore`);
  }
  return rules;
}

function repositoryAround(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return folder;
  const parent = dirname(folder);
  return parent === folder ? undefined : repositoryAround(parent);
}

function addFrom(rules: IgnoreRules, folder: string, repository: string, path: string): void {
  const text = readBeneath(repository, path);
  if (text !== undefined) rules.addAt(folder, text);
}

/** Undefined if the file is missing or behind a link. */
function readBeneath(root: string, path: string): string | undefined {
  let file: number | undefined;
  try {
    file = openBeneath(root, path);
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
