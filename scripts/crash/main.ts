import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { MINUTE } from '@holdfast/base';

import { campaigns } from './campaigns/index.ts';
import type { Campaign, Context, Counts } from './lib/campaign.ts';
import { isClean, type Result, toTable, writeDocument } from './lib/document.ts';
import { Random } from '../../packages/sqlite/test/random.ts';
import { readOptions } from '../runner/read-options.ts';

const usage = `npm run crash                          every campaign
npm run crash -- NAME NAME             only these
npm run crash -- --seed 7              the same run again
npm run crash -- --cycles 50           shorter; --minutes 10 ends each campaign after 10 minutes
npm run crash -- codex --parts a,b     only these parts of a campaign
npm run crash -- --canary              with a deliberate fault that the checks must find
npm run crash -- --json                prints JSON for programs
npm run crash -- --write               also writes whole runs to docs/crash-campaigns.md

${campaigns.map(({ name, promise }) => `${name.padEnd(14)} ${promise}`).join('\n')}`;

const { values, positionals } = readOptions(
  {
    allowPositionals: true,
    options: {
      cycles: { type: 'string' },
      minutes: { type: 'string' },
      parts: { type: 'string' },
      seed: { type: 'string' },
      canary: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
    },
  },
  usage,
);

const progress = (text: string): void => void process.stderr.write(`${text}\n`);

function refuse(text: string): never {
  progress(text);
  process.exit(2);
}

function wholeNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  return Number.isInteger(value) && value > 0 ? value : refuse(`--${name} needs a whole number above 0, not ${text}`);
}

async function run(campaign: Campaign, cycles: number, seed: number): Promise<Result> {
  const base = join(process.cwd(), '.cache', 'crash', 'data');
  mkdirSync(base, { recursive: true });
  const folder = mkdtempSync(join(base, `${campaign.name}-`));
  progress(`${campaign.name}, seed ${seed}: ${campaign.promise}`);
  const started = performance.now();
  try {
    const report = (text: string): void => progress(`${campaign.name}: ${text}`);
    const isTimeUp = (): boolean => performance.now() - started > minutes * MINUTE;
    const parts = values.parts?.split(',');
    const context = { cycles, isTimeUp, parts, random: new Random(seed), folder, progress: report };
    const counts = values.canary ? await runCanary(campaign, context) : await campaign.run(context);
    const seconds = (performance.now() - started) / 1_000;
    return { name: campaign.name, ...counts, seconds, seed };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function runCanary(campaign: Campaign, context: Context): Promise<Counts> {
  return campaign.canary?.(context) ?? refuse(`${campaign.name} has no canary`);
}

const cycles = wholeNumber('cycles', values.cycles);
const minutes = wholeNumber('minutes', values.minutes) ?? Number.POSITIVE_INFINITY;
const seed = wholeNumber('seed', values.seed) ?? 1 + Math.floor(Math.random() * 1_000_000);
const unknown = positionals.filter((name) => !campaigns.some((campaign) => campaign.name === name));
if (unknown.length > 0) {
  refuse(`There is no campaign ${unknown.join(', ')}. There are: ${campaigns.map(({ name }) => name).join(', ')}`);
}
if (values.write && (cycles !== undefined || values.canary)) {
  refuse('The document shows only whole runs without a deliberate fault: use --write without --cycles and --canary');
}

const results: Result[] = [];
for (const campaign of campaigns) {
  if (positionals.length > 0 && !positionals.includes(campaign.name)) continue;
  results.push(await run(campaign, cycles ?? campaign.cycles, seed));
}
const isCutShort = cycles !== undefined || values.parts !== undefined || minutes !== Number.POSITIVE_INFINITY;
const whole = results.filter(({ name, cycles: made }) =>
  campaigns.some((one) => one.name === name && (one.cycles === made || (one.isExhaustive === true && !isCutShort))),
);
if (values.write) writeDocument(whole);
if (values.write && whole.length < results.length) progress('A run that was cut short is not written.');
process.stdout.write(values.json ? `${JSON.stringify(results)}\n` : `${toTable(results)}\n`);
if (!results.every(isClean)) process.exitCode = 1;
