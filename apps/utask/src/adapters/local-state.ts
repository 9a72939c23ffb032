import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
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
    this.#list = `${url ?? 'embedded'} ${profile ?? ''}`;
  }

  read(): Value | undefined {
    return this.#readAll()[this.#list];
  }

  write(value: Value | undefined): void {
    const { [this.#list]: _, ...others } = this.#readAll();
    const all = value === undefined ? others : { ...others, [this.#list]: value };
    if (Object.keys(all).length === 0) {
      rmSync(this.#path, { force: true });
      return;
    }
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    const draft = `${this.#path}.${process.pid}`;
    writeFileSync(draft, JSON.stringify(all), { mode: 0o600 });
    renameSync(draft, this.#path);
  }

  #readAll(): Readonly<Record<string, Value>> {
    try {
      return JSON.parse(readFileSync(this.#path, 'utf8')) as Readonly<Record<string, Value>>;
    } catch {
      return {};
    }
  }
}
