/** Returns a program's version, which also shows that it runs. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const runFile = promisify(execFile);
const limitMs = 20_000;

/** @param {import('./components.d.mts').Component} component @param {string} program @returns {Promise<string | undefined>} */
export async function versionOf(component, program) {
  try {
    const { stdout, stderr } = await runFile(program, [...component.versionArgs], { timeout: limitMs });
    return `${stdout}${stderr}`.trim().split('\n')[0] ?? '';
  } catch {
    return undefined;
  }
}
