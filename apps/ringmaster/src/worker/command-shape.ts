import { ringmasterErrors } from '../model/errors.ts';
import type { OutputFormat } from './transcript.ts';

/** The settings from which a worker's command line is built. */
export interface WorkerCommand {
  readonly type: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly prompt_flag: string | null;
  readonly prompt: '' | 'stdin' | 'file' | 'flag';
  readonly output: '' | OutputFormat;
}

export interface PromptToGive {
  readonly text: string;
  /** File with the same text. */
  readonly path: string;
}

export interface Invocation {
  readonly command: string;
  readonly args: readonly string[];
  readonly stdin: string | undefined;
}

/** Default arguments of known programs. */
const usual: ReadonlyMap<string, { readonly args: readonly string[]; readonly output: OutputFormat }> = new Map(
  Object.entries({
    'claude-code': { args: ['-p', '--output-format', 'stream-json', '--verbose'], output: 'claude-json' },
    codex: { args: ['exec', '--json', '--sandbox', 'workspace-write', '-'], output: 'codex-json' },
    aider: { args: ['--yes-always', '--no-pretty', '--message-file', '{prompt_file}'], output: 'text' },
  } as const),
);

/** Linux limits a single argument to 128 KiB. */
const ARGUMENT_BYTES_MAX = 120 * 1024;

/** Returns arguments and perhaps standard input; never a command line for a shell. */
export function invocationOf(worker: WorkerCommand, prompt: PromptToGive): Invocation {
  const given = worker.args.length > 0 ? worker.args : (usual.get(worker.type)?.args ?? []);
  const args = given.map((argument) => argument.replaceAll('{prompt_file}', prompt.path));
  const namesFile = given.some((argument) => argument.includes('{prompt_file}'));
  const flag = worker.prompt_flag ?? '';
  const way = worker.prompt === '' ? (namesFile ? 'file' : flag === '' ? 'stdin' : 'flag') : worker.prompt;
  const withFlag = (value: string): readonly string[] => (flag === '' ? [...args, value] : [...args, flag, value]);
  if (way === 'stdin') return { command: worker.command, args, stdin: prompt.text };
  if (way === 'file') {
    return { command: worker.command, args: namesFile ? args : withFlag(prompt.path), stdin: undefined };
  }
  if (Buffer.byteLength(prompt.text) > ARGUMENT_BYTES_MAX) {
    throw ringmasterErrors.PROMPT_TOO_LONG(
      `A prompt of ${Buffer.byteLength(prompt.text)} bytes is too long for an argument`,
    );
  }
  return { command: worker.command, args: withFlag(prompt.text), stdin: undefined };
}

/** The configured format, else the format that the arguments of a known program select, else text. */
export function formatOf({ output, args, type }: WorkerCommand): OutputFormat {
  if (output !== '') return output;
  if (args.length === 0) return usual.get(type)?.output ?? 'text';
  const asksForJson = args.some((argument) => argument === '--json' || /^(?:stream-)?json$/.test(argument));
  return asksForJson && (type === 'claude-code' || type === 'codex') ? (usual.get(type)?.output ?? 'text') : 'text';
}
