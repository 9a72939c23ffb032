import { execFileSync, spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Random } from '../../../packages/sqlite/test/random.ts';
import { DatabaseSync, type DatabaseSyncInstance } from '../../../packages/sqlite/src/driver.ts';

/** Behaviour of a worker in about half of its turns; `slow` is the behaviour in all turns. */
export type AgentCharacter = 'honest' | 'hang' | 'lie' | 'crash' | 'logout' | 'limit' | 'children' | 'slow';

const WORKERS: readonly AgentCharacter[] = ['honest', 'honest', 'hang', 'lie', 'crash', 'logout', 'limit', 'children'];

/** Tasks with the tasks that they depend on. Agents read this plan, so that they need not trust ringmaster. */
export interface NightPlan {
  readonly seed: number;
  readonly dependencies: Readonly<Record<string, readonly string[]>>;
}

/** A line that an agent wrote. */
export interface AgentRecord {
  readonly event: 'start' | 'changed' | 'nothing' | 'child' | 'overlap';
  readonly task: string;
  readonly attempt: string;
  readonly turn: string;
  readonly seen?: readonly string[];
  readonly pid?: number;
  readonly start?: string;
}

export interface Ran {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

const PROGRAM = join(process.cwd(), 'dist', 'bin', 'ringmaster');
const WIDTH = 3;

/** A git repository with a ringmaster project, and a folder next to it for the agents' records. */
export class NightProject {
  readonly folder: string;
  readonly records: string;
  readonly plan: NightPlan;
  readonly home: string;
  readonly #settings: (records: string) => string;
  #database: DatabaseSyncInstance | undefined;

  /** `settings` returns ringmaster.toml; the default has the workers for the campaign `night`. */
  constructor(parent: string, tasks: number, random: Random, settings = nightSettings) {
    this.#settings = settings;
    if (!existsSync(PROGRAM)) throw new Error(`${PROGRAM} is missing: run npm run build first`);
    this.folder = join(parent, 'project');
    this.records = join(parent, 'agents');
    this.home = join(parent, 'home');
    this.plan = { seed: 1 + random.below(1_000_000), dependencies: randomGraph(tasks, random) };
    for (const folder of [this.folder, this.home, join(this.records, 'running')]) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
    }
    writeFileSync(join(this.records, 'plan.json'), JSON.stringify(this.plan));
    writeFileSync(join(this.records, 'records.jsonl'), '');
  }

  get tasks(): readonly string[] {
    return Object.keys(this.plan.dependencies);
  }

  async create(): Promise<void> {
    this.git('init', '-q', '-b', 'main');
    this.git('config', 'user.name', 'night');
    this.git('config', 'user.email', 'night@localhost');
    await this.ringmaster('init', '--name', 'Night');
    const files = { 'check.mjs': CHECK, 'manifest.txt': manifestOf(this.tasks), 'shared.txt': 'unchanged\n' };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(this.folder, name), text);
    writeFileSync(join(this.folder, 'ringmaster.toml'), this.#settings(this.records));
    this.git('add', '--all');
    this.git('commit', '-qm', 'start');
    const issues = join(this.records, 'issues.jsonl');
    writeFileSync(issues, beadsLines(this.plan));
    await this.ringmaster('import', '--from-beads', issues);
    this.#database = new DatabaseSync(join(this.folder, '.ringmaster', 'ringmaster.db'));
    this.#database.exec('PRAGMA busy_timeout = 10000');
  }

  git(...args: readonly string[]): string {
    return execFileSync('git', args, { cwd: this.folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  }

  environment(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
    const { HOLDFAST_FAILPOINT: _, ...environment } = process.env;
    return { ...environment, NO_COLOR: '1', HOLDFAST_HOME: this.home, RINGMASTER_ACTOR: 'person', ...more };
  }

  /** Runs a command that may fail. */
  attempt(...args: readonly string[]): Promise<Ran> {
    return new Promise((resolve) => {
      const child = spawn(PROGRAM, args, {
        cwd: this.folder,
        env: this.environment(),
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let [output, errors] = ['', ''];
      child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
      child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
      child.once('close', (code) => resolve({ code, output, errors }));
    });
  }

  async ringmaster(...args: readonly string[]): Promise<string> {
    const { code, output, errors } = await this.attempt(...args);
    if (code !== 0) throw new Error(`ringmaster ${args.join(' ')} ended with ${code}: ${errors.trim()}`);
    return output;
  }

  /** Starts `ringmaster run`. Writes its output to a file, which helps to analyse violations. */
  supervise(failpoint: string | undefined) {
    const env = this.environment(failpoint === undefined ? {} : { HOLDFAST_FAILPOINT: failpoint });
    const child = spawn(PROGRAM, ['run'], { cwd: this.folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => appendFileSync(join(this.records, 'run.log'), chunk));
    }
    return child;
  }

  rows<T>(sql: string): T[] {
    return this.#database!.prepare(sql).all() as T[];
  }

  agentRecords(): AgentRecord[] {
    const lines = readFileSync(join(this.records, 'records.jsonl'), 'utf8').split('\n');
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as AgentRecord);
  }

  close(): void {
    this.#database?.close();
  }
}

/** Each task depends on up to three of the twenty tasks before it. */
function randomGraph(tasks: number, random: Random): NightPlan['dependencies'] {
  const ids = Array.from({ length: tasks }, (_, at) => `bd-n${String(at + 1).padStart(WIDTH, '0')}`);
  const earlier = (at: number): string[] => random.shuffled(ids.slice(Math.max(0, at - 20), at));
  return Object.fromEntries(ids.map((id, at) => [id, earlier(at).slice(0, random.below(4))]));
}

function beadsLines({ dependencies }: NightPlan): string {
  const at = '2026-11-01T00:00:00Z';
  const lines = Object.entries(dependencies).map(([id, parents]) => ({
    id,
    title: `Write ${id}`,
    description: `Write the module ${id} and mark it in the manifest.`,
    status: 'open',
    priority: 2,
    issue_type: 'task',
    created_at: at,
    updated_at: at,
    dependencies: parents.map((parent) => ({ issue_id: id, depends_on_id: parent, type: 'blocks', created_at: at })),
  }));
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** Two unchanged lines between the lines of two tasks allow git to merge changes from neighbouring tasks. */
function manifestOf(tasks: readonly string[]): string {
  return tasks.map((id) => `${id}: open\n# below ${id}\n# end of ${id}\n`).join('');
}

/**
 * The repository's build. It checks that every module loads, and that the manifest marks exactly the existing modules.
 */
const CHECK = `import { existsSync, readdirSync, readFileSync } from 'node:fs';
const modules = existsSync('work') ? readdirSync('work').map((name) => name.replace('.mjs', '')) : [];
for (const id of modules) {
  const { depth } = await import(\`./work/\${id}.mjs\`);
  if (!(depth > 0)) throw new Error(\`\${id} has no depth\`);
}
const lines = readFileSync('manifest.txt', 'utf8').split('\\n').filter((line) => line.endsWith(': done'));
const done = lines.map((line) => line.replace(': done', ''));
if (done.sort().join() !== modules.sort().join()) throw new Error(\`manifest: \${done}; modules: \${modules}\`);
`;

function nightSettings(records: string): string {
  return settingsWith(records, WORKERS, 'auto_merge = true');
}

/** Short times, so that a night takes minutes. `run` holds additional lines for the [run] table. */
export function settingsWith(records: string, characters: readonly AgentCharacter[], run: string): string {
  const agent = join(import.meta.dirname, 'programs', 'night-agent.mjs');
  const workers = characters.map(
    (character, at) => `
[[workers]]
name = "${character}-${at + 1}"
type = "custom"
command = "${process.execPath}"
args = ["${agent}", "${character}", "${records}"]
`,
  );
  return `[storage]
backup_enabled = false
[queue]
lease_seconds = 4
max_attempts = 3
retry_base_seconds = 0.3
retry_max_seconds = 1
rate_limit_seconds = 0.5
[run]
slots = ${Math.max(1, characters.length)}
max_iterations = 2
silence_seconds = 3
grace_seconds = 0.3
drain_seconds = 1
test_command = ["${process.execPath}", "check.mjs"]
${run}
${workers.join('')}`;
}

/** Returns what has not ended: tasks that run or can start, pending merges, and worktrees. */
export function unfinished(project: NightProject): string[] {
  const rows = project.rows<{ what: string }>(`
    SELECT 'task ' || id AS what FROM tasks AS t WHERE status IN ('assigned', 'in_progress')
      OR type = 'task' AND status = 'ready' AND NOT EXISTS (
        SELECT 1 FROM dependencies AS d JOIN tasks AS p ON p.id = d.parent_id
        WHERE d.child_id = t.id AND p.status <> 'done')
    UNION ALL SELECT 'merge of ' || t.id FROM attempt_runs AS r
      JOIN attempts AS a ON a.id = r.attempt_id JOIN tasks AS t ON t.id = a.task_id
      WHERE t.status = 'done' AND r.merge_requested_at IS NOT NULL AND r.merged_at IS NULL
    UNION ALL SELECT 'worktree ' || folder FROM attempt_runs WHERE settled_at IS NULL`);
  return rows.map(({ what }) => what);
}

export function statusOf(project: NightProject): string {
  const rows = project.rows<{ status: string; n: number }>(
    `SELECT status, count(*) AS n FROM tasks WHERE type = 'task' GROUP BY status`,
  );
  return rows.map(({ status, n }) => `${n} ${status}`).join(', ');
}
