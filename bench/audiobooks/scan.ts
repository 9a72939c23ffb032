import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { openSource } from '../../apps/audiobooks/src/adapters/file-source.ts';
import { probe } from '../../apps/audiobooks/src/media/probe.ts';
import { createScanEngine } from '../../apps/audiobooks/src/scan/engine.ts';
import type { ScanMemory } from '../../apps/audiobooks/src/model/engines.ts';
import { parseFile } from '../../apps/audiobooks/test/other-reader.ts';
import { Child } from '../lib/child.ts';
import { compare, type Context, type Figure } from '../lib/harness.ts';
import { fillLibrary, makeSounds } from './library.ts';

const CONCURRENCY = 4;

/** Compares a scan with its minimum work: reading the same files with the same readers, or only calling `stat`. */
export async function scanFigures(context: Context): Promise<readonly Figure[]> {
  const root = join(context.folder, 'library');
  const files = context.quick ? 200 : 2_000;
  fillLibrary(root, makeSounds(join(context.folder, 'sounds'), context.quick ? 5 : 30), files);
  context.progress(`  ${files} files`);
  const fingerprints = new Map<string, string>();
  await scan(root, { fingerprint: () => undefined, file: () => undefined }, fingerprints);
  const paths = await walk(root);
  return [
    await firstScan(context, root, paths),
    await otherReader(context, root, paths),
    await secondScan(context, root, fingerprints),
    await memory(context),
  ];
}

async function scan(root: string, known: ScanMemory, fingerprints?: Map<string, string>): Promise<void> {
  await createScanEngine({ concurrency: CONCURRENCY }).scan({
    root,
    memory: known,
    receiver: {
      unit: ({ unit, fingerprint }) => Promise.resolve(void fingerprints?.set(unit, fingerprint ?? '')),
      unchanged: () => undefined,
    },
    signal: new AbortController().signal,
  });
}

/** Calls `stat` for every file below a folder; returns the paths. */
async function walk(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const below = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return walk(path);
      await lstat(path, { bigint: true });
      return [path];
    }),
  );
  return below.flat();
}

async function inTurns(paths: readonly string[], work: (path: string) => Promise<unknown>): Promise<void> {
  let next = 0;
  const some = async (): Promise<void> => {
    while (next < paths.length) await work(paths[next++] ?? '');
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, some));
}

const NOTHING: ScanMemory = { fingerprint: () => undefined, file: () => undefined };

/** Workload: the first scan of a library. Baseline: reading only tags, chapters and packet sums of the same files. */
async function firstScan(context: Context, root: string, paths: readonly string[]): Promise<Figure> {
  const compared = await compare({
    operations: 1,
    rounds: context.quick ? 2 : 7,
    warmUpRounds: 1,
    ours: () => scan(root, NOTHING),
    baseline: () =>
      inTurns(paths, async (path) => {
        const source = await openSource(path);
        await probe(source);
        await source.close();
      }),
  });
  return figure('audiobooks.scan', compared, `readers and packet sums alone, ${paths.length} files`, 1.5);
}

/** Workload: the first scan of a library. Baseline: another parser, which also counts packets. */
async function otherReader(context: Context, root: string, paths: readonly string[]): Promise<Figure> {
  const compared = await compare({
    operations: 1,
    rounds: context.quick ? 2 : 5,
    warmUpRounds: 1,
    ours: () => scan(root, NOTHING),
    baseline: () => inTurns(paths, (path) => parseFile(path, { duration: true, skipCovers: true })),
  });
  return figure('audiobooks.scan_other_parser', compared, `music-metadata alone, ${paths.length} files`, 1.5);
}

/** Workload: scan an unchanged library again. Baseline: list every folder and stat every file. */
async function secondScan(context: Context, root: string, fingerprints: ReadonlyMap<string, string>): Promise<Figure> {
  const known: ScanMemory = { fingerprint: (unit) => fingerprints.get(unit), file: () => undefined };
  const compared = await compare({
    operations: 1,
    rounds: context.quick ? 3 : 25,
    warmUpRounds: 3,
    ours: () => scan(root, known),
    baseline: () => walk(root),
  });
  return figure('audiobooks.rescan_unchanged', compared, 'walk and stat', 2);
}

/** Scans a large library in its own process to measure memory. */
async function memory(context: Context): Promise<Figure> {
  const files = context.quick ? 2_000 : 100_000;
  const root = join(context.folder, 'large');
  // ext4 allows at most 65,000 hard links per file.
  const sounds = [...makeSounds(join(context.folder, 'short'), 1), ...makeSounds(join(context.folder, 'short-too'), 1)];
  fillLibrary(root, sounds, files, true);
  context.progress(`  ${files} files in a process of their own`);
  const child = await Child.start('audiobooks-scan', [root]);
  const answer = await child.ask<{ files: number; mebibytes: number; seconds: number }>('scan');
  await child.stop();
  const { mebibytes, seconds } = answer;
  if (answer.files !== files) throw new Error(`The scan saw ${answer.files} of ${files} files`);
  const baseline = `${files} files in ${seconds.toFixed(1)} s`;
  return { name: 'audiobooks.scan_memory', value: mebibytes, unit: 'MiB', baseline, goal: 400, better: 'lower' };
}

function figure(
  name: string,
  compared: { ratio: number; oursMicros: number; baselineMicros: number },
  what: string,
  goal: number,
): Figure {
  const { ratio, oursMicros, baselineMicros } = compared;
  const baseline = `${what}: ${(baselineMicros / 1000).toFixed(0)} ms (ours ${(oursMicros / 1000).toFixed(0)} ms)`;
  return { name, value: ratio, unit: '×', baseline, goal, better: 'lower' };
}
