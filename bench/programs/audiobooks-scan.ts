/** Scans the library given as argument on each request, and reports duration and memory. */
import { createScanEngine } from '../../apps/audiobooks/src/scan/engine.ts';
import { answerQuestions } from '../lib/child.ts';

const [root = ''] = process.argv.slice(2);

answerQuestions(async () => {
  const started = performance.now();
  const { files } = await createScanEngine().scan({
    root,
    memory: { fingerprint: () => undefined, file: () => undefined },
    receiver: { unit: () => Promise.resolve(), unchanged: () => undefined },
    signal: new AbortController().signal,
  });
  const seconds = (performance.now() - started) / 1000;
  return { files, seconds, mebibytes: process.resourceUsage().maxRSS / 1024 };
});
