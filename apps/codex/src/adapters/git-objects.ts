import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { gitFailed, keepStderr, startGit } from '@holdfast/git';

import { codexErrors } from '../model/errors.ts';
import { FOLDER_MODE, parseTree, type TreeEntry, type TreeReader } from '../model/git.ts';
import type { Repository } from './git-repository.ts';

interface GitObject {
  readonly oid: string;
  readonly type: string;
  readonly content: Buffer;
}

interface Waiting {
  readonly resolve: (object: GitObject | undefined) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Reads objects through one long-running `git cat-file --batch`. Each request sees the current branches and takes no
 * lock. The git process is started again if it has ended.
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

  /** Reads an object by id, full branch name or HEAD; undefined if there is no such object. */
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
    // Lets this process end while git is still running.
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

  /** Handles the first header or object in the buffer and returns the bytes after it; undefined if it is incomplete. */
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

type Folder = ReadonlyMap<string, TreeEntry>;

const FOLDERS_KEPT = 2_000;

/** Caches trees by id: they never change, and most are shared between commits. */
export class TreeCache {
  readonly #objects: GitObjects;
  readonly #oidBytes: number;
  readonly #folders = new Map<string, Promise<Folder>>();

  constructor(objects: GitObjects, oidBytes: number) {
    this.#objects = objects;
    this.#oidBytes = oidBytes;
  }

  folder(oid: string): Promise<Folder> {
    const known = this.#folders.get(oid);
    if (known !== undefined) {
      // Moves the folder to the end of the map, because a full cache drops the folder at the start.
      this.#folders.delete(oid);
      this.#folders.set(oid, known);
      return known;
    }
    const read = this.#read(oid);
    this.#folders.set(oid, read);
    read.catch(() => this.#folders.delete(oid));
    const [oldest] = this.#folders.keys();
    if (this.#folders.size > FOLDERS_KEPT && oldest !== undefined) this.#folders.delete(oldest);
    return read;
  }

  /** Returns the tree of a commit; undefined if there is no commit. */
  async rootOf(commit: string | undefined): Promise<string | undefined> {
    if (commit === undefined) return undefined;
    const object = await this.#objects.read(commit);
    return /^tree ([0-9a-f]+)/.exec(object?.content.toString('latin1') ?? '')?.[1];
  }

  async #read(oid: string): Promise<Folder> {
    const object = await this.#objects.read(oid);
    return object?.type === 'tree' ? parseTree(object.content, this.#oidBytes) : new Map<string, TreeEntry>();
  }
}

/** The part of a commit's tree below the notebook. */
export class CommitTree implements TreeReader {
  readonly #cache: TreeCache;
  readonly #root: string | undefined;

  private constructor(cache: TreeCache, root: string | undefined) {
    this.#cache = cache;
    this.#root = root;
  }

  static async open(cache: TreeCache, { prefix }: Repository, commit: string | undefined): Promise<CommitTree> {
    const root = await cache.rootOf(commit);
    const whole = new CommitTree(cache, root);
    if (prefix === '') return whole;
    const folder = await whole.entry(prefix.slice(0, -1));
    return new CommitTree(cache, folder?.mode === FOLDER_MODE ? folder.oid : undefined);
  }

  /**
   * Git id of this tree. It is equal for two commits with the same notebook content, even if the rest of the repository
   * differs.
   */
  get id(): string | undefined {
    return this.#root;
  }

  async entry(path: string): Promise<TreeEntry | undefined> {
    let entry: TreeEntry | undefined = this.#root === undefined ? undefined : { mode: FOLDER_MODE, oid: this.#root };
    for (const name of path.split('/')) {
      if (entry?.mode !== FOLDER_MODE) return undefined;
      const folder: Folder = await this.#cache.folder(entry.oid);
      entry = folder.get(name);
    }
    return entry;
  }

  async filesBelow(folder: string): Promise<(readonly [string, TreeEntry])[]> {
    const found: (readonly [string, TreeEntry])[] = [];
    const top = await this.entry(folder);
    const open: (readonly [string, TreeEntry])[] = top === undefined ? [] : [[folder, top]];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const [path, entry] = next;
      if (entry.mode !== FOLDER_MODE) found.push(next);
      else for (const [name, child] of await this.#cache.folder(entry.oid)) open.push([`${path}/${name}`, child]);
    }
    return found;
  }
}

/**
 * Runs `git fast-import` and returns the ids of its commits. Only a temporary reference points to them, so the user
 * sees no change yet.
 */
export async function importCommits(
  { root, gitDir }: Repository,
  stream: AsyncIterable<Uint8Array>,
): Promise<readonly string[]> {
  const args = ['fast-import', '--quiet', '--force', '--done', '--cat-blob-fd=1', '--date-format=raw'];
  const child = startGit(args, { folder: root });
  const stderr = keepStderr(child);
  const closed = once(child, 'close') as Promise<[number | null]>;
  // `closed` is awaited below. Until then, this handler prevents an unhandled rejection.
  closed.catch(() => undefined);
  let stdout = '';
  child.stdout?.setEncoding('latin1').on('data', (text: string) => (stdout += text));
  const { stdin } = child;
  stdin?.on('error', () => undefined);
  try {
    for await (const chunk of stream) {
      if (stdin === null || stdin.destroyed || child.exitCode !== null) break;
      if (!stdin.write(chunk)) await Promise.race([once(stdin, 'drain'), closed]);
    }
    stdin?.end();
  } catch (error) {
    // git creates no commit, because its input does not end with `done`.
    child.kill('SIGKILL');
    await closed;
    throw error;
  }
  const [code] = await closed;
  if (code !== 0) {
    // Removes git's crash report, which is meant for git developers.
    rmSync(join(gitDir, `fast_import_crash_${child.pid}`), { force: true });
    throw gitFailed(args, code, stderr());
  }
  return stdout.trim().split('\n');
}
