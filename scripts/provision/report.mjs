import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { currentPlaces, locate } from './locate.mjs';

async function describe(component) {
  const { name, neededFor, debianPackages } = component;
  const program = locate(component, currentPlaces());
  const found = program === undefined ? undefined : await versionOf(component, program);
  return { name, neededFor, debianPackages, program, version: found, works: found !== undefined };
}

export async function report(wanted, json) {
  const rows = await Promise.all(wanted.map(describe));
  if (json) {
    console.log(JSON.stringify(rows, undefined, 2));
  } else {
    for (const row of rows) {
      const problem = row.program === undefined ? 'MISSING' : `DOES NOT RUN (${row.program})`;
      const state = row.works ? `${row.version} (${row.program})` : `${problem}, needed for ${row.neededFor}`;
      console.log(`${row.name.padEnd(12)} ${state}`);
    }
  }
  return rows.every((row) => row.works);
}

const runFile = promisify(execFile);
const limitMs = 20_000;

export async function versionOf(component, program) {
  try {
    const { stdout, stderr } = await runFile(program, [...component.versionArgs], { timeout: limitMs });
    return `${stdout}${stderr}`.trim().split('\n')[0] ?? '';
  } catch {
    return undefined;
  }
}
