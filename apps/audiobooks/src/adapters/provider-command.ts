import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { systemErrorCode, textIfThere, writeFileDurablySync } from '@holdfast/base';
import { z } from 'zod';
import { audiobookErrors } from '../model/errors.ts';

/** A program that supplies book metadata. It is started with exactly these arguments, never through a shell. */
const commandShape = z.object({
  command: z.array(z.string()).min(1),
  /** The program returns URLs of covers. Holdfast fetches a cover only if its URL has one of these hosts. */
  hosts: z.array(z.string().regex(/^(?:\*\.)?[a-z\d-]+(?:\.[a-z\d-]+)+$/u)),
});
export type ProviderCommand = z.infer<typeof commandShape>;

/**
 * The command is stored in a file, not in the database, because requests and imports can change the database. Only
 * someone with access to this machine may choose a program that runs on it.
 */
const pathIn = (home: string): string => join(home, 'audiobooks-provider.json');

export function readProviderCommand(home: string): ProviderCommand | undefined {
  const text = textIfThere(pathIn(home));
  if (text === undefined) return undefined;
  try {
    return commandShape.parse(JSON.parse(text));
  } catch (error) {
    throw audiobookErrors.PROVIDER_INVALID(`${pathIn(home)} does not contain a command.`, {
      cause: error,
      hint: "Set it again with 'holdfast audiobooks provider command PROGRAM'.",
    });
  }
}

/** Stores the command; an empty one removes the file. */
export function writeProviderCommand(home: string, given: ProviderCommand): void {
  if (given.command.length === 0) return rmSync(pathIn(home), { force: true });
  const checked = commandShape.safeParse(given);
  if (!checked.success) throw audiobookErrors.PROVIDER_INVALID('A host looks like covers.example.org.');
  writeFileDurablySync(pathIn(home), `${JSON.stringify(checked.data, undefined, 2)}\n`);
}

/** Environment variables that the command gets. Other variables may contain the server's secrets. */
const VARIABLES = ['PATH', 'HOME', 'LANG', 'TMPDIR'] as const;

interface CommandRun {
  readonly command: readonly string[];
  readonly input: string;
  readonly limitBytes: number;
  readonly signal: AbortSignal;
}

/** Runs the command with `input` on its standard input; returns its standard output. */
export function runProviderCommand({ command, input, limitBytes, signal }: CommandRun): Promise<Uint8Array> {
  const [program = '', ...args] = command;
  const env = Object.fromEntries(VARIABLES.map((name) => [name, process.env[name]]));
  return new Promise((resolve, reject) => {
    // Starts the command in its own process group, so that its child processes end with it.
    const child = spawn(program, args, { env, detached: true, stdio: ['pipe', 'pipe', 'ignore'] });
    const chunks: Buffer[] = [];
    let size = 0;
    let problem: Error | undefined;
    const stop = (error: Error): void => {
      problem ??= error;
      if (child.pid !== undefined) endGroup(child.pid);
    };
    const onAbort = (): void => stop(audiobookErrors.PROVIDER_UNAVAILABLE(`"${program}" did not end in time.`));
    signal.addEventListener('abort', onAbort, { once: true });
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.byteLength;
      if (size <= limitBytes) chunks.push(chunk);
      else stop(audiobookErrors.PROVIDER_INVALID(`"${program}" printed more than ${limitBytes} bytes.`));
    });
    child.on('error', (error) => {
      const reason = systemErrorCode(error) ?? error.message;
      reject(audiobookErrors.PROVIDER_UNAVAILABLE(`"${program}" could not be started: ${reason}.`, { cause: error }));
    });
    child.on('close', (code, ended) => {
      signal.removeEventListener('abort', onAbort);
      if (problem !== undefined) reject(problem);
      else if (code === 0) resolve(Buffer.concat(chunks));
      else reject(audiobookErrors.PROVIDER_INVALID(`"${program}" ended with ${code ?? ended ?? 'an error'}.`));
    });
    // A command that does not read its input is not an error.
    child.stdin.on('error', () => undefined).end(input);
    if (signal.aborted) onAbort();
  });
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The group has already ended.
  }
}
