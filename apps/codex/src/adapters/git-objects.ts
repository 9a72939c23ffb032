import type { ChildProcess } from 'node:child_process';

import { keepStderr, startGit } from '@holdfast/git';

import { codexErrors } from '../model/errors.ts';

export interface GitObject {
  readonly oid: string;
  readonly type: string;
  readonly content: Buffer;
}

interface Waiting {
  readonly resolve: (object: GitObject | undefined) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Reads objects through one long-running `git cat-file --batch`. It sees branches as they are at each request, takes no
 * lock, and restarts when its process has ended.
 */
export class GitObjects {
  readonly #folder: string;
  #child: ChildProcess | undefined;
  #isClosed = false;
  #waiting: Waiting[] = [];
  #received: Buffer[] = [];
  #receivedLength = 0;
  #header: { oid: string; type: string; size: number } | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** `name` is an id, a full branch name or HEAD. Undefined if there is no such object. */
  read(name: string): Promise<GitObject | undefined> {
    if (/[\n\r\0 ]/.test(name)) return Promise.resolve(undefined);
    if (this.#isClosed) return Promise.reject(codexErrors.GIT_UNAVAILABLE('The repository is closed'));
    const child = this.#started();
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      child.stdin?.write(`${name}\n`);
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#child?.stdin?.end();
    this.#child = undefined;
  }

  #started(): ChildProcess {
    if (this.#child !== undefined) return this.#child;
    const child = startGit(['cat-file', '--batch'], { folder: this.#folder });
    this.#child = child;
    const stderr = keepStderr(child);
    child.stdin?.on('error', () => undefined);
    child.stdout?.on('data', (chunk: Buffer) => this.#receive(chunk));
    child.on('error', (error) => this.#ended(child, error.message));
    child.on('close', () => this.#ended(child, stderr().trim()));
    // Does not keep a stopping server alive.
    child.unref();
    return child;
  }

  #ended(child: ChildProcess, reason: string): void {
    if (this.#child === child) this.#child = undefined;
    else if (this.#child !== undefined) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#received = [];
    this.#receivedLength = 0;
    this.#header = undefined;
    for (const one of waiting) one.reject(codexErrors.GIT_UNAVAILABLE(`git cat-file ended: ${reason}`));
  }

  #receive(chunk: Buffer): void {
    this.#received.push(chunk);
    this.#receivedLength += chunk.length;
    // Joins chunks only once the response is complete: a large object comes in thousands of chunks.
    if (this.#header !== undefined && this.#receivedLength <= this.#header.size) return;
    let buffer: Buffer = Buffer.concat(this.#received);
    for (;;) {
      const rest = this.#takeAnswer(buffer);
      if (rest === undefined) break;
      buffer = rest;
    }
    this.#received = [buffer];
    this.#receivedLength = buffer.length;
  }

  /** Returns the rest after the first complete response; undefined if it is not complete yet. */
  #takeAnswer(buffer: Buffer): Buffer | undefined {
    if (this.#header === undefined) {
      const end = buffer.indexOf(0x0a);
      if (end < 0) return undefined;
      const line = buffer.toString('utf8', 0, end);
      const [, oid = '', type = '', size = ''] = /^([0-9a-f]+) (\w+) (\d+)$/.exec(line) ?? [];
      if (oid === '') {
        this.#waiting.shift()?.resolve(undefined);
        return buffer.subarray(end + 1);
      }
      this.#header = { oid, type, size: Number(size) };
      return buffer.subarray(end + 1);
    }
    const { oid, type, size } = this.#header;
    if (buffer.length <= size) return undefined;
    this.#header = undefined;
    this.#waiting.shift()?.resolve({ oid, type, content: Buffer.from(buffer.subarray(0, size)) });
    return buffer.subarray(size + 1);
  }
}
