import { join } from 'node:path';
import { type CommandContext, commandLineErrors, type ExitCode } from '@holdfast/cli';
import { canonicalDirectory } from '../../adapters/directory.ts';
import { readTextIfPresent, replaceText } from '../../adapters/files.ts';
import { type Agent, AGENT_FILES, withGuidance, withoutGuidance } from '../../model/agent-files.ts';

interface Input {
  readonly args: { readonly agent: Agent };
  readonly options: { readonly dir: string | undefined; readonly check: boolean; readonly remove: boolean };
}

/** With `--check` the answer is in the exit code too: 1 says that it is not set up, or not as it should be. */
export function run({ args, options, out }: CommandContext<Input>): ExitCode {
  const { agent } = args;
  const { check, remove } = options;
  if (check && remove) throw commandLineErrors.INVALID_ARGUMENT('Choose one of --check and --remove.');
  const path = join(canonicalDirectory(options.dir), AGENT_FILES[agent].path);
  const content = readTextIfPresent(path);
  const wanted = remove ? withoutGuidance(content, agent) : withGuidance(content, agent);
  const isRight = wanted === (content ?? '');
  if (!check && !isRight) replaceText(path, wanted);
  const message = messageOf({ agent, path, check, remove, isRight });
  out.result({ agent, path, set_up: remove ? false : isRight || !check, changed: !check && !isRight }, (page) =>
    page.line(message),
  );
  return check && !isRight ? 1 : 0;
}

interface Outcome {
  readonly agent: Agent;
  readonly path: string;
  readonly check: boolean;
  readonly remove: boolean;
  readonly isRight: boolean;
}

function messageOf({ agent, path, check, remove, isRight }: Outcome): string {
  if (remove) return isRight ? `There is nothing of np in ${path}.` : `Removed np from ${path}.`;
  if (isRight) return `${agent} is set up in ${path}.`;
  return check ? `${agent} is not set up in ${path}.` : `Set up ${agent} in ${path}.`;
}
