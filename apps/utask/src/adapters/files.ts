import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileDurablySync } from '@holdfast/base';
import { utaskErrors } from '../model/errors.ts';
import { type Configuration, withoutSecrets } from './configuration.ts';

export function readText(path: string): string {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw utaskErrors.BAD_IMPORT(`${path} cannot be read.`, {
      cause: error,
      hint: 'Check the file name and its permissions.',
    });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    const hint = 'Convert it to UTF-8 first, for example with iconv.';
    throw utaskErrors.BAD_IMPORT(`${path} is not UTF-8 text.`, { cause: error, hint });
  }
}

/**
 * State that one command leaves for the next, on this machine and for this task list: the steps to undo, and tasks
 * whose addition is unconfirmed. Losing it loses no task. It is written durably: if a power cut brought back an older
 * version, `ut undo` would revert the wrong change.
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

  /** Returns false if the file cannot be written. The tasks stay changed. */
  write(value: Value | undefined): boolean {
    const { [this.#list]: _, ...others } = this.#readAll();
    const all = value === undefined ? others : { ...others, [this.#list]: value };
    try {
      if (Object.keys(all).length === 0) rmSync(this.#path, { force: true });
      else writeFileDurablySync(this.#path, JSON.stringify(all));
      return true;
    } catch {
      remove(this.#path);
      return false;
    }
  }

  #readAll(): Readonly<Record<string, Value>> {
    try {
      return JSON.parse(readFileSync(this.#path, 'utf8')) as Readonly<Record<string, Value>>;
    } catch {
      return {};
    }
  }
}

/** Removes an outdated file, which would mislead the next command. */
function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The folder is not writable, so the file has to stay.
  }
}
