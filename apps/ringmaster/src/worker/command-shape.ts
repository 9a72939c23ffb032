import { ringmasterErrors } from '../model/errors.ts';
import { type OutputFormat, type Preset, type PresetChoices, presetOf } from '../model/presets.ts';

/** The settings from which a worker's command line is built. */
export interface WorkerCommand {
  readonly type: string;
  readonly command: string;
  /** Arguments from the settings. They replace the preset's arguments. */
  readonly args: readonly string[];
  readonly prompt_flag: string | null;
  readonly prompt: '' | 'stdin' | 'file' | 'flag';
  readonly output: '' | OutputFormat;
  readonly permission_mode: string;
  readonly allowed_tools: readonly string[];
  /** An empty text means the agent's own default. */
  readonly model: string;
  readonly extra_args: readonly string[];
}

export interface PromptToGive {
  readonly text: string;
  /** File that contains the prompt. */
  readonly path: string;
}

export interface Invocation {
  readonly command: string;
  readonly args: readonly string[];
  readonly stdin: string | undefined;
}

/** Linux allows at most 128 KiB for one argument. */
const ARGUMENT_BYTES_MAX = 120 * 1024;

/**
 * Returns the arguments of a worker's command, and its standard input if the prompt is passed there. Never uses a
 * shell.
 */
export function invocationOf(worker: WorkerCommand, prompt: PromptToGive, session?: string): Invocation {
  const given = argumentsOf(worker, session);
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

function argumentsOf(worker: WorkerCommand, session: string | undefined): readonly string[] {
  const preset = presetOf(worker.type);
  // Programs other than agents get the model in RINGMASTER_MODEL.
  if (preset === undefined) return [...worker.args, ...worker.extra_args];
  const choices = choicesOf(worker, preset, session);
  return worker.args.length > 0 ? [...worker.args, ...choices.more] : preset.args(choices);
}

function choicesOf(worker: WorkerCommand, preset: Preset, session: string | undefined): PresetChoices {
  // All agents with a preset accept --model.
  const more = [...(worker.model === '' ? [] : ['--model', worker.model]), ...worker.extra_args];
  const mode = worker.permission_mode === '' ? (preset.permissionModes[0] ?? '') : worker.permission_mode;
  return { mode, allowedTools: worker.allowed_tools, more, session };
}

/**
 * Returns the command with which a person continues a session: the agent's own command, or a shell if the worker is not
 * an agent.
 */
export function interactiveCommand(
  worker: WorkerCommand,
  session: string | undefined,
  shell: string,
): Pick<Invocation, 'command' | 'args'> {
  const preset = presetOf(worker.type);
  if (preset === undefined) return { command: shell, args: [] };
  return { command: worker.command, args: preset.interactive(choicesOf(worker, preset, session)) };
}

/**
 * Returns the configured format. If none is configured, returns the preset's format. Returns `text` if there is no
 * preset, or if custom arguments do not request JSON.
 */
export function formatOf({ output, args, type }: WorkerCommand): OutputFormat {
  if (output !== '') return output;
  const usual = presetOf(type)?.output ?? 'text';
  if (args.length === 0) return usual;
  const asksForJson = args.some((argument) => argument === '--json' || /^(?:stream-)?json$/.test(argument));
  return asksForJson ? usual : 'text';
}
