import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import type { AgentCharacter, NightPlan } from '../lib/night-project.ts';

/**
 * A coding agent in the campaign `night`. In about half of its turns it behaves according to its character; in the
 * others it does its task. The choice depends only on the seed, the task, the attempt and the turn.
 *
 * Arguments: the character, and the folder with the plan and the records of all agents.
 */
const [character, folder] = process.argv.slice(2) as [AgentCharacter, string];
const { RINGMASTER_TASK: task = '', RINGMASTER_ATTEMPT: attempt = '', RINGMASTER_ITERATION: turn = '' } = process.env;
const plan = JSON.parse(readFileSync(join(folder, 'plan.json'), 'utf8')) as NightPlan;
readFileSync(0);

const work = join('work', `${task}.mjs`);
const record = (event: string, data: object = {}): void =>
  appendFileSync(join(folder, 'records.jsonl'), `${JSON.stringify({ event, task, attempt, turn, ...data })}\n`);

/** Returns the start time of a running process, which distinguishes it from a later process with the same number. */
function startOf(pid: number): string | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)!.split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

/** Records a violation if another agent is still working on the same task. */
function checkAlone(): void {
  const path = join(folder, 'running', task);
  const [pid = '', start = ''] = existsSync(path) ? readFileSync(path, 'utf8').split(' ') : [];
  if (pid !== '' && startOf(Number(pid)) === start) record('overlap', { with: Number(pid) });
  writeFileSync(path, `${process.pid} ${startOf(process.pid)}`);
}

/** Returns a number from 0 to 1 (exclusive) that depends on the seed and the text (FNV-1a). */
function chance(text: string): number {
  let hash = 0x811c9dc5;
  for (const letter of `${plan.seed} ${text}`) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32;
}

const moment = `${task} ${attempt} ${turn} ${character}`;
const variant = (count: number): number => Math.floor(chance(`${moment} variant`) * count);
const say = (text: string): void => void process.stdout.write(`${text}\n`);

function writeModule(text = ''): void {
  mkdirSync('work', { recursive: true });
  const dependencies = (plan.dependencies[task] ?? []).filter((id) => existsSync(join('work', `${id}.mjs`)));
  const imports = dependencies.map((id, at) => `import { depth as d${at} } from './${id}.mjs';\n`);
  const depths = dependencies.map((_, at) => `, d${at}`).join('');
  writeFileSync(work, `${imports.join('')}export const depth = 1 + Math.max(0${depths});\n${text}`);
}

/**
 * Writes the task's module and marks the task as done in the manifest. About every fifth task also rewrites a shared
 * file.
 */
function doTask(): void {
  writeModule();
  const manifest = readFileSync('manifest.txt', 'utf8');
  writeFileSync('manifest.txt', manifest.replace(`${task}: open\n`, `${task}: done\n`));
  if (chance(`${task} shared`) < 0.2) writeFileSync('shared.txt', `last changed by ${task}\n`);
  record('changed');
}

function leaveChild(isDetached: boolean): void {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
    stdio: 'inherit',
    detached: isDetached,
  });
  record('child', { pid: child.pid, start: startOf(child.pid ?? 0) });
  child.unref();
}

/** Longer than a lease in the campaign `remote`. */
const SLOW_SECONDS = 8;

const behaviours: Readonly<Record<AgentCharacter, () => Promise<number> | number>> = {
  honest() {
    doTask();
    return 0;
  },
  async hang() {
    if (variant(3) === 1) process.on('SIGTERM', () => say('SIGTERM is ignored'));
    if (variant(3) === 2) writeModule();
    await pause(2 ** 30);
    return 0;
  },
  lie() {
    if (variant(3) === 0) writeModule('this is not JavaScript\n');
    if (variant(3) === 1) {
      record('nothing');
      say('✓ No change needed: the work exists already');
    }
    say('✓ Task complete');
    return 0;
  },
  crash() {
    if (variant(3) === 2) doTask();
    else writeModule();
    if (variant(3) === 1) process.kill(process.pid, 'SIGKILL');
    return 3;
  },
  logout() {
    say('Invalid API key · Please run /login');
    return 1;
  },
  limit() {
    say("You've hit your session limit · try again in 1s");
    return 1;
  },
  async slow() {
    for (let seconds = 0; seconds < SLOW_SECONDS; seconds++) {
      say('still working');
      await pause(1_000);
    }
    doTask();
    return 0;
  },
  children() {
    doTask();
    leaveChild(false);
    leaveChild(true);
    return 0;
  },
};

record('start', { worker: process.env['RINGMASTER_ACTOR'], seen: existsSync('work') ? readdirSync('work') : [] });
checkAlone();
say('working');
await pause(50 + 200 * chance(`${moment} time`));
process.exit(await behaviours[character === 'slow' || chance(moment) < 0.5 ? character : 'honest']());
