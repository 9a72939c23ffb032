/** The built command, in its own folders. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { StoredKey } from '../src/index.ts';
import { temporaryFolder } from './harness.ts';

export const npPath = fileURLToPath(new URL('../../../dist/bin/np', import.meta.url));

interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunOptions {
  readonly cwd?: string;
  readonly input?: string | Buffer;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Place {
  readonly folder: string;
  readonly home: string;
  readonly project: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly np: (words: readonly string[], options?: RunOptions) => Finished;
  /** The `data` of a `--json` run. */
  readonly data: <T = never>(words: readonly string[], options?: RunOptions) => T;
  /** Runs the command asynchronously, so that several can run at once. */
  readonly start: (words: readonly string[], options?: RunOptions) => Promise<Finished>;
  readonly keys: (prefix?: string) => Readonly<Record<string, string>>;
}

const TIMEOUT_MS = 60_000;

export function newPlace(): Place {
  const folder = temporaryFolder();
  const home = join(folder, 'home');
  const project = join(folder, 'project');
  mkdirSync(project);
  const env = { ...process.env, HOLDFAST_HOME: home, NO_COLOR: '1', NP_ACTOR: undefined, NP_DIR: undefined };
  const np: Place['np'] = (words, { cwd = project, input = '', env: more } = {}) => {
    const options = { cwd, input, env: { ...env, ...more }, timeout: TIMEOUT_MS, maxBuffer: 2 ** 28 };
    const { status, stdout, stderr } = spawnSync(process.execPath, [npPath, ...words], options);
    return { code: status, stdout: stdout.toString(), stderr: stderr.toString() };
  };
  const data: Place['data'] = (words, options) => {
    const { code, stdout, stderr } = np([...words, '--json'], options);
    if (code !== 0) throw new Error(`np ${words.join(' ')} ended with ${code}: ${stderr}`);
    return (JSON.parse(stdout) as { data: never }).data;
  };
  return {
    folder,
    home,
    project,
    env,
    np,
    data,
    start: (words, options) => startNp(words, { ...options, cwd: options?.cwd ?? project, base: env }),
    keys: (prefix) => {
      const found = data<readonly StoredKey[]>(['keys', ...(prefix === undefined ? [] : [prefix])]);
      const stored = ({ value, encoding }: StoredKey) => (encoding === 'json' ? JSON.stringify(value) : String(value));
      return Object.fromEntries(found.map((entry) => [entry.key, stored(entry)]));
    },
  };
}

function startNp(
  words: readonly string[],
  { cwd, input = '', env, base }: RunOptions & { readonly base: Place['env'] },
): Promise<Finished> {
  const child = spawn(process.execPath, [npPath, ...words], { cwd, env: { ...base, ...env } });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}
