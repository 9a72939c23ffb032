/**
 * Opens all applications on a disk after a power cut, inspects them, and then writes to all of them until it is killed.
 *
 * Reads one line with a PowerTask. Prints "inspected JSON" per application, and "a APP N" after each acknowledgement.
 */
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';

import { type PowerApp, powerApps } from '../lib/power-apps.ts';
import type { Inspection, PowerTask } from '../campaigns/power.ts';

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const task = JSON.parse((await lines.next()).value as string) as PowerTask;

async function work(application: PowerApp): Promise<void> {
  const { name } = application;
  if (task.isNew) await application.prepare(task.home);
  const app = await application.open(task.home);
  const inspection: Inspection = { app: name, ...(await app.inspect()) };
  writeSync(1, `inspected ${JSON.stringify(inspection)}\n`);
  for (let n = task.next[name] ?? 1; ; n++) {
    await app.write(n);
    writeSync(1, `a ${name} ${n}\n`);
  }
}

/** After the cut, every write fails. The process then waits to be killed, like a machine without power. */
await Promise.all(
  powerApps.map((app) =>
    work(app).catch((error: unknown) => {
      writeSync(
        1,
        `stopped ${app.name} ${String(error instanceof Error ? error.stack : error).replaceAll('\n', ' ')}\n`,
      );
      return new Promise(() => undefined);
    }),
  ),
);
