import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/**
 * Finds the unit tests that load a source file, directly or through other files in the same package or application. The
 * most specific tests come first: those with the file's own name, then those that load the fewest files.
 */
export class TestFinder {
  readonly #root: string;
  readonly #imports = new Map<string, readonly string[]>();
  /** The files that each test loads, by package. */
  readonly #loaded = new Map<string, ReadonlyMap<string, ReadonlySet<string>>>();

  constructor(root: string) {
    this.#root = root;
  }

  testsOf(file: string): readonly string[] {
    const [area = '', name = ''] = file.split('/');
    const stem = basename(file, '.ts');
    const isOwn = (test: string): boolean => basename(test).startsWith(`${stem}.`);
    return [...this.#testsIn(`${area}/${name}`)]
      .filter(([, loaded]) => loaded.has(file))
      .toSorted(([a, left], [b, right]) => Number(isOwn(b)) - Number(isOwn(a)) || left.size - right.size)
      .map(([test]) => test);
  }

  #testsIn(folder: string): ReadonlyMap<string, ReadonlySet<string>> {
    const known = this.#loaded.get(folder);
    if (known !== undefined) return known;
    const tests = readdirSync(join(this.#root, folder, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.test.ts') && !/\.(?:crash|e2e)\.test\.ts$/u.test(path))
      .map((path) => `${folder}/src/${path}`);
    const found = new Map(tests.map((test) => [test, this.#loadedBy(test)]));
    this.#loaded.set(folder, found);
    return found;
  }

  #loadedBy(test: string): ReadonlySet<string> {
    const loaded = new Set<string>();
    const visit = (file: string): void => {
      if (loaded.has(file)) return;
      loaded.add(file);
      for (const next of this.#importsOf(file)) visit(next);
    };
    visit(test);
    return loaded;
  }

  /** Returns the relative imports of a file that load code. Imports of types load nothing. */
  #importsOf(file: string): readonly string[] {
    const known = this.#imports.get(file);
    if (known !== undefined) return known;
    const source = readFileSync(join(this.#root, file), 'utf8');
    const folder = dirname(resolve(this.#root, file));
    const found = [...source.matchAll(IMPORT)]
      .filter(([text]) => !/^(?:import|export) type /u.test(text))
      .map(([, path = '']) => resolve(folder, path).slice(this.#root.length + 1));
    this.#imports.set(file, found);
    return found;
  }
}

const IMPORT = /(?:^(?:import|export) [^;]*?from |^import |import\()'(\.[^']*\.ts)'/gmu;
