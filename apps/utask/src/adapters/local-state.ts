import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { withoutSecrets } from './address.ts';
import type { Configuration } from './configuration.ts';

/**
 * Small facts that one command leaves for the next, on this machine and for this task list: what was changed last, and
 * which task may or may not have been added. They are conveniences: losing them loses no task.
 */
export class LocalState<Value> {
  readonly #path: string;
  readonly #list: string;

  constructor(name: string, { home, url, profile }: Configuration) {
    this.#path = join(home, `utask-${name}.json`);
    this.#list = withoutSecrets(`${url ?? 'embedded'} ${profile ?? ''}`);
  }

  read(): Value | undefined {
    return this.#readAll()[this.#list];
  }

  /** False where that is not possible: whatever the command did to the tasks is done all the same. */
  write(value: Value | undefined): boolean {
    const { [this.#list]: _, ...others } = this.#readAll();
    const all = value === undefined ? others : { ...others, [this.#list]: value };
    const draft = `${this.#path}.${process.pid}`;
    try {
      if (Object.keys(all).length === 0) {
        rmSync(this.#path, { force: true });
        return true;
      }
      mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
      writeFileSync(draft, JSON.stringify(all), { mode: 0o600 });
      renameSync(draft, this.#path);
      return true;
    } catch {
      forget([draft, this.#path]);
      return false;
    }
  }

  #readAll(): Readonly<Record<string, Value>> {
    try {
      const all = JSON.parse(readFileSync(this.#path, 'utf8')) as Readonly<Record<string, Value>>;
      // Lists used to be named by their address with the password in it.
      return Object.fromEntries(Object.entries(all).map(([list, value]) => [withoutSecrets(list), value]));
    } catch {
      return {};
    }
  }
}

/** What is no longer true is better not there; in a folder that cannot be written there is nothing to be done. */
function forget(paths: readonly string[]): void {
  for (const path of paths) {
    try {
      rmSync(path, { force: true });
    } catch {
      return;
    }
  }
}
