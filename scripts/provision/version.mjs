/** Returns a program's version, which also shows that it runs. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

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
