import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import type { TestServer } from './server.ts';

const ringmaster = resolve(import.meta.dirname, '../../../dist/bin/ringmaster');
const fakeWorker = resolve(import.meta.dirname, '../../ringmaster/test/programs/fake-worker.mjs');

export interface TestWorkspace {
  readonly folder: string;
  /** Runs a command in the workspace and returns its data. */
  readonly data: (...args: readonly string[]) => unknown;
  /** Creates the file that a worker waits for. */
  readonly release: (name: string) => void;
  /** Starts `ringmaster run`. */
  readonly start: () => void;
  readonly stop: () => Promise<void>;
}

const LAYERS = 25;
const PER_LAYER = 20;
export const LIVE = 8;

interface Issue {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly priority: number;
  readonly waitsFor: readonly string[];
}

/** Creates eight tasks whose workers wait for a release, and five hundred layered tasks that depend on them. */
function issues(): readonly Issue[] {
  const live = Array.from({ length: LIVE }, (_, at): Issue => ({
    id: `ci-live${at}`,
    title: `Raise the tent, part ${at}`,
    description: [
      'The poles come first.',
      `DO say part ${at} has begun`,
      `DO edit tent-${at}.txt canvas`,
      `DO wait-for go-${at}`,
      `DO say part ${at} stands`,
      'DO say {"type":"result","result":"✓ Task complete","total_cost_usd":1.5}',
    ].join('\n'),
    priority: 0,
    waitsFor: [],
  }));
  const rest = Array.from({ length: LAYERS * PER_LAYER }, (_, at): Issue => {
    const [layer, number] = [Math.floor(at / PER_LAYER), at % PER_LAYER];
    const before = layer === 0 ? `ci-live${number % LIVE}` : `ci-${layer - 1}x${(number * 7) % PER_LAYER}`;
    return {
      id: `ci-${layer}x${number}`,
      title: `Act ${layer + 1}, number ${number + 1}`,
      description: 'DO say ✓ Task complete',
      priority: 1 + (number % 3),
      waitsFor: layer === 0 && number < 6 ? [] : [before],
    };
  });
  return [...live, ...rest];
}

function beadsOf({ id, title, description, priority, waitsFor }: Issue): string {
  const at = '2026-11-01T10:00:00Z';
  const dependencies = waitsFor.map((other) => ({
    issue_id: id,
    depends_on_id: other,
    type: 'blocks',
    created_at: at,
  }));
  const issue = {
    id,
    title,
    description,
    status: 'open',
    priority,
    issue_type: 'task',
    created_at: at,
    updated_at: at,
  };
  return JSON.stringify({ ...issue, dependencies });
}

export function createWorkspace(server: TestServer): TestWorkspace {
  const folder = join(server.project, 'circus');
  mkdirSync(folder);
  const git = (...args: string[]): void => {
    const identity = ['-c', 'user.name=tester', '-c', 'user.email=tester@localhost'];
    execFileSync('git', [...identity, ...args], { cwd: folder, stdio: 'ignore' });
  };
  git('init', '-q', '-b', 'main');
  writeFileSync(join(folder, 'a.txt'), 'first\n');
  git('add', 'a.txt');
  git('commit', '-qm', 'first');
  server.runIn(folder, 'ringmaster', 'init', '--name', 'Circus');
  writeFileSync(
    join(folder, 'ringmaster.toml'),
    [
      '[storage]',
      'backup_enabled = false',
      '[run]',
      'grace_seconds = 0.5',
      'drain_seconds = 0.3',
      worker('fake-1'),
      worker('fake-2'),
      '',
    ].join('\n'),
  );
  const file = join(folder, '.ringmaster', 'issues.jsonl');
  writeFileSync(
    file,
    issues()
      .map((issue) => `${beadsOf(issue)}\n`)
      .join(''),
  );
  server.runIn(folder, 'ringmaster', 'import', '--from-beads', file);
  server.runIn(folder, 'ringmaster', 'rank');
  let running: ChildProcess | undefined;
  return {
    folder,
    data: (...args) => (JSON.parse(server.runIn(folder, 'ringmaster', ...args, '--json')) as { data: unknown }).data,
    release: (name) => writeFileSync(join(folder, name), ''),
    start() {
      const env = { ...process.env, HOLDFAST_HOME: server.home, NO_COLOR: '1' };
      running = spawn(ringmaster, ['run', '--slots', String(LIVE)], { cwd: folder, env, stdio: 'ignore' });
    },
    stop: () => ended(running),
  };
}

function worker(name: string): string {
  return `[[workers]]\nname = "${name}"\ntype = "custom"\ncommand = "${fakeWorker}"\nmax_concurrent = 4\noutput = "claude-json"`;
}

function ended(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((done) => {
    child.on('close', () => done());
    child.kill('SIGTERM');
  });
}
