/** Tells which components are here, where, and in which version. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { currentPlaces, locate } from './locate.mjs';

/** @typedef {import('./components.d.mts').Component} Component */

const runFile = promisify(execFile);
const versionLimitMs = 20_000;

/** @param {Component} component @param {string} program */
async function version(component, program) {
  try {
    const { stdout, stderr } = await runFile(program, [...component.versionArgs], { timeout: versionLimitMs });
    return `${stdout}${stderr}`.trim().split('\n')[0] ?? '';
  } catch {
    return undefined;
  }
}

/** @param {Component} component */
async function describe(component) {
  const { name, neededFor, debianPackages } = component;
  const program = locate(component, currentPlaces());
  const found = program === undefined ? undefined : await version(component, program);
  return { name, neededFor, debianPackages, program, version: found, works: found !== undefined };
}

/** @param {readonly Component[]} wanted @param {boolean} json @returns {Promise<boolean>} whether nothing is missing */
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
