import { closest, type LineOf } from '@holdfast/base';

import { ringmasterErrors } from './errors.ts';
import { outputFormats, presetOf, workerTypes } from './presets.ts';

/**
 * The keys of ringmaster.toml and their defaults: those of the ringmaster design document, and those that this
 * implementation adds. An unknown key is an error, because a misspelt key would otherwise have no effect.
 */

type Kind = 'string' | 'boolean' | 'number' | 'strings';

interface KeySpec {
  readonly kind: Kind;
  readonly default?: string | boolean | number | readonly string[];
  readonly min?: number;
  readonly isWhole?: boolean;
}

type SpecOf<K extends Kind> = KeySpec & { readonly kind: K };

const text = (value?: string): SpecOf<'string'> => ({
  kind: 'string',
  ...(value === undefined ? {} : { default: value }),
});
const flag = (value: boolean): SpecOf<'boolean'> => ({ kind: 'boolean', default: value });
const count = (value: number, min = 0): SpecOf<'number'> => ({ kind: 'number', default: value, min });
const whole = (value: number, min = 0): SpecOf<'number'> => ({ ...count(value, min), isWhole: true });
const list: SpecOf<'strings'> = { kind: 'strings', default: [] };

const sections = {
  storage: {
    db_path: text('.ringmaster/ringmaster.db'),
    files_path: text('.ringmaster'),
    wal_mode: flag(true),
    cache_size_mb: count(10, 1),
    busy_timeout_ms: count(5000, 1),
    backup_enabled: flag(true),
    backup_interval_hours: count(1, 0.01),
    backup_retention_days: count(7),
    cleanup_completed_tasks_days: count(30),
    cleanup_iteration_logs_days: count(7),
    cleanup_events_days: count(365),
  },
  prioritization: {
    pagerank_weight: count(0.3),
    betweenness_weight: count(0.25),
    critical_path_weight: count(0.25),
    manual_weight: count(0.2),
    aging_weight: count(0),
    aging_days: count(30, 0.01),
    exact_budget_ms: count(3000, 1),
  },
  'prioritization.manual_scores': { P0: count(1), P1: count(0.75), P2: count(0.5), P3: count(0.25), P4: count(0.1) },
  queue: {
    lease_seconds: count(300, 0.05),
    max_attempts: whole(5, 1),
    max_interruptions: whole(5, 1),
    retry_base_seconds: count(30),
    retry_max_seconds: count(3600),
    rate_limit_seconds: count(300),
  },
  tasks: { id_prefix: text('bd') },
  summaries: { command: list },
  budget: {
    task_usd: count(0),
    task_tokens: count(0),
    project_usd: count(0),
    project_tokens: count(0),
    day_usd: count(0),
    day_tokens: count(0),
  },
  notifications: { command: list, webhook: text(''), timeout_seconds: count(10, 0.05) },
  prompt: {
    budget_tokens: count(24_000, 500),
    headroom_tokens: count(4000),
    project_tokens: count(4000),
    context_tokens: count(4000),
    chat_tokens: count(4000),
    chat_messages: count(10),
    summaries_tokens: count(2000),
    results_tokens: count(3000),
    code_tokens: count(12_000),
    code_threshold: count(0.3),
    context_threshold: count(0.2),
  },
  run: {
    slots: whole(4, 1),
    max_iterations: whole(3, 1),
    grace_seconds: count(10),
    drain_seconds: count(60),
    silence_seconds: count(1200, 0.05),
    total_timeout_seconds: count(14_400, 0.05),
    output_cap_kb: count(4096, 1),
    output_limit_mb: count(1024, 1),
    memory_limit_mb: count(0),
    sandbox: text('none'),
    setup_command: list,
    copy_paths: list,
    link_paths: list,
    first_port: whole(20_000, 1),
    ports_per_worktree: whole(10),
    test_command: list,
    test_timeout_seconds: count(1800, 0.05),
    review: text('none'),
    review_command: list,
    review_timeout_seconds: count(1800, 0.05),
    use_git: flag(true),
    worktrees_path: text('.ringmaster/worktrees'),
    base: text(''),
    retry_from: text('previous'),
    plain_folder: text('one'),
    auto_merge: flag(false),
    git_remote: text(''),
    auto_resume: flag(true),
    secret_env: list,
    secret_patterns: list,
  },
  workers: {
    name: text(),
    id: text(''),
    type: text(),
    command: text(),
    args: list,
    prompt_flag: text(''),
    prompt: text(''),
    output: text(''),
    permission_mode: text(''),
    allowed_tools: list,
    model: text(''),
    extra_args: list,
    working_dir: text(''),
    timeout_seconds: count(1800, 0.05),
    silence_seconds: count(0),
    max_iterations: whole(0),
    rate_limit_patterns: list,
    max_concurrent: whole(1, 1),
    capabilities: list,
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, KeySpec>>>>;

type ValueOf<Spec extends KeySpec> = Spec['kind'] extends 'string'
  ? string
  : Spec['kind'] extends 'boolean'
    ? boolean
    : Spec['kind'] extends 'number'
      ? number
      : readonly string[];
type SectionOf<Specs> = { readonly [Key in keyof Specs]: Specs[Key] extends KeySpec ? ValueOf<Specs[Key]> : never };

export type WorkerConfig = SectionOf<typeof sections.workers>;
export interface Config {
  readonly storage: SectionOf<typeof sections.storage>;
  readonly prioritization: SectionOf<typeof sections.prioritization>;
  readonly manualScores: SectionOf<(typeof sections)['prioritization.manual_scores']>;
  readonly queue: SectionOf<typeof sections.queue>;
  readonly tasks: SectionOf<typeof sections.tasks>;
  readonly summaries: SectionOf<typeof sections.summaries>;
  readonly budget: SectionOf<typeof sections.budget>;
  readonly notifications: SectionOf<typeof sections.notifications>;
  readonly prompt: SectionOf<typeof sections.prompt>;
  readonly run: SectionOf<typeof sections.run>;
  readonly workers: readonly WorkerConfig[];
}

type Table = Readonly<Record<string, unknown>>;

export function readConfig(parsed: Table, lineOf: LineOf): Config {
  const problem = (section: string, key: string | undefined, occurrence: number, message: string): Error => {
    const line = lineOf(section, key, occurrence);
    return ringmasterErrors.CONFIG_INVALID(`ringmaster.toml${line === undefined ? '' : `:${line}`}: ${message}`, {
      details: { line: line ?? null, section, key: key ?? null },
    });
  };
  const top = new Set(Object.keys(sections).map((name) => name.split('.')[0]));
  for (const name of Object.keys(parsed)) {
    if (!top.has(name)) throw problem('', name, 0, `unknown section "${name}"`);
  }
  const table = (name: string, value: unknown, occurrence = 0): Table => {
    if (value === undefined) return {};
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Table;
    throw problem('', name, occurrence, `${name} must be a table`);
  };
  const section = <Name extends keyof typeof sections>(
    name: Name,
    given: Table,
    occurrence = 0,
  ): SectionOf<(typeof sections)[Name]> =>
    readSection(name, given, (key, message) => problem(name, key, occurrence, message)) as SectionOf<
      (typeof sections)[Name]
    >;
  const one = <Name extends keyof typeof sections>(name: Name): SectionOf<(typeof sections)[Name]> =>
    section(name, table(name, parsed[name]));
  const { manual_scores: scores } = table('prioritization', parsed['prioritization']);
  const workers = parsed['workers'] ?? [];
  if (!Array.isArray(workers)) throw problem('', 'workers', 0, 'workers must be written as [[workers]]');
  const config: Config = {
    storage: one('storage'),
    prioritization: one('prioritization'),
    manualScores: section('prioritization.manual_scores', table('prioritization.manual_scores', scores)),
    queue: one('queue'),
    tasks: one('tasks'),
    summaries: one('summaries'),
    budget: one('budget'),
    notifications: one('notifications'),
    prompt: one('prompt'),
    run: one('run'),
    workers: workers.map((worker, index) => section('workers', table('workers', worker, index), index)),
  };
  checkMeaning(config, problem);
  return config;
}

function readSection(name: string, given: Table, problem: (key: string, message: string) => Error): Table {
  const specs: Readonly<Record<string, KeySpec>> = sections[name as keyof typeof sections];
  for (const key of Object.keys(given)) {
    const isTable = Object.hasOwn(sections, `${name}.${key}`);
    if (!Object.hasOwn(specs, key) && !isTable) throw problem(key, `unknown key "${key}" in [${name}]`);
  }
  const entries = Object.entries(specs).map(([key, spec]) => {
    const value = given[key] ?? spec.default;
    if (value === undefined) throw problem(key, `[[${name}]] needs "${key}"`);
    const kind = spec.kind === 'strings' ? 'list of strings' : spec.kind;
    if (!isOfKind(value, spec.kind)) throw problem(key, `${key} must be a ${kind}, not ${JSON.stringify(value)}`);
    if (typeof value === 'number' && value < (spec.min ?? -Infinity)) {
      throw problem(key, `${key} must be at least ${spec.min}, not ${value}`);
    }
    if (spec.isWhole === true && !Number.isInteger(value)) {
      throw problem(key, `${key} must be a whole number, not ${JSON.stringify(value)}`);
    }
    return [key, value] as const;
  });
  return Object.fromEntries(entries);
}

function isOfKind(value: unknown, kind: Kind): boolean {
  if (kind === 'strings') return Array.isArray(value) && value.every((item) => typeof item === 'string');
  return typeof value === kind && (typeof value !== 'number' || Number.isFinite(value));
}

type Problem = (section: string, key: string | undefined, occurrence: number, message: string) => Error;

/** Keys with a fixed set of values. */
const words = {
  run: {
    review: ['none', 'person', 'command'],
    retry_from: ['previous', 'base'],
    plain_folder: ['one', 'shared', 'refuse'],
    sandbox: ['none', 'bwrap'],
  },
  workers: { prompt: ['', 'stdin', 'file', 'flag'], output: ['', ...outputFormats] },
} as const;

function checkWords(
  section: keyof typeof words,
  values: Readonly<Record<string, unknown>>,
  occurrence: number,
  problem: Problem,
): void {
  for (const [key, allowed] of Object.entries<readonly string[]>(words[section])) {
    const value = String(values[key]);
    if (allowed.includes(value)) continue;
    const choices = allowed.filter((word) => word !== '').join(', ');
    throw problem(section, key, occurrence, `${key} must be one of ${choices}, not "${value}"`);
  }
}

function checkRun({ run, workers }: Config, problem: Problem): void {
  checkWords('run', run, 0, problem);
  if (run.review === 'command' && run.review_command.length === 0) {
    throw problem('run', 'review', 0, 'review = "command" needs review_command');
  }
  checkWorktrees(run, problem);
  const patterns = [
    { section: 'run', key: 'secret_patterns', occurrence: 0, texts: run.secret_patterns },
    ...workers.map(({ rate_limit_patterns: texts }, occurrence) => ({
      section: 'workers',
      key: 'rate_limit_patterns',
      occurrence,
      texts,
    })),
  ];
  for (const { section, key, occurrence, texts } of patterns) {
    for (const pattern of texts) {
      if (!isPattern(pattern)) throw problem(section, key, occurrence, `"${pattern}" is not a regular expression`);
    }
  }
  for (const [occurrence, worker] of workers.entries()) {
    checkWords('workers', worker, occurrence, problem);
    checkType(worker, occurrence, problem);
    checkPermissionMode(worker, occurrence, problem);
    const isTaken = workers.slice(0, occurrence).some((other) => idOf(other) === idOf(worker));
    if (isTaken) throw problem('workers', 'name', occurrence, `two workers are named "${idOf(worker)}"`);
  }
}

function checkWorktrees(run: Config['run'], problem: Problem): void {
  for (const key of ['copy_paths', 'link_paths'] as const) {
    const outside = run[key].find((path) => !isPathBelow(path));
    if (outside === undefined) continue;
    const message = `"${outside}" in ${key} is not a path below the repository, such as ".env" or "cache/npm"`;
    throw problem('run', key, 0, message);
  }
  const lastPort = run.first_port + run.slots * run.ports_per_worktree - 1;
  if (lastPort > PORT_MAX) {
    const needed = `${run.slots} slots with ${run.ports_per_worktree} ports each need ports up to ${lastPort}`;
    throw problem('run', 'first_port', 0, `${needed}, but the highest port is ${PORT_MAX}`);
  }
}

export const PORT_MAX = 65_535;

/** Folders that contain the state of git and ringmaster, not project files. */
const stateFolders: ReadonlySet<string> = new Set(['.git', '.ringmaster']);

function isPathBelow(path: string): boolean {
  const parts = path.split('/');
  return !parts.some((part) => ['', '.', '..'].includes(part)) && !stateFolders.has(parts[0] ?? '');
}

export function idOf({ id, name }: Pick<WorkerConfig, 'id' | 'name'>): string {
  return id === '' ? name : id;
}

function checkType({ type }: WorkerConfig, occurrence: number, problem: Problem): void {
  if (workerTypes.some((known) => known === type)) return;
  const meant = closest(type, workerTypes);
  const hint = meant === undefined ? '' : `Did you mean "${meant}"? `;
  const message = `unknown type "${type}". ${hint}Known types: ${workerTypes.join(', ')}`;
  throw problem('workers', 'type', occurrence, message);
}

function checkPermissionMode(
  { type, permission_mode: mode }: WorkerConfig,
  occurrence: number,
  problem: Problem,
): void {
  if (mode === '') return;
  const allowed = presetOf(type)?.permissionModes ?? [];
  if (allowed.includes(mode)) return;
  const choices = allowed.length === 0 ? 'empty' : `one of ${allowed.join(', ')}`;
  throw problem(
    'workers',
    'permission_mode',
    occurrence,
    `permission_mode of ${type} must be ${choices}, not "${mode}"`,
  );
}

function isPattern(pattern: string): boolean {
  try {
    return new RegExp(pattern) instanceof RegExp;
  } catch {
    return false;
  }
}

function isWebhook(address: string): boolean {
  if (address === '') return true;
  if (!URL.canParse(address)) return false;
  const { protocol, username, password } = new URL(address);
  return ['http:', 'https:'].includes(protocol) && username === '' && password === '';
}

function checkMeaning(config: Config, problem: Problem): void {
  const { storage, prioritization } = config;
  checkRun(config, problem);
  if (!isWebhook(config.notifications.webhook)) {
    // Does not repeat the address, which may contain a secret.
    const message = 'webhook must be an http or https address without a user name and password';
    throw problem('notifications', 'webhook', 0, message);
  }
  if (!storage.wal_mode) {
    throw problem('storage', 'wal_mode', 0, 'wal_mode must be true: with false, readers would block workers');
  }
  const { pagerank_weight, betweenness_weight, critical_path_weight, manual_weight } = prioritization;
  const sum = pagerank_weight + betweenness_weight + critical_path_weight + manual_weight;
  if (Math.abs(sum - 1) > 1e-6) {
    throw problem('prioritization', 'pagerank_weight', 0, `the four weights must sum to 1, not to ${sum}`);
  }
}

export const defaultConfig: Config = readConfig({}, () => undefined);
