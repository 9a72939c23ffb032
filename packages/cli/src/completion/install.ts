/** `holdfast completion install`: makes the shell load the completion scripts. */
import { homedir } from 'node:os';
import { basename, join } from 'node:path';

import { commandLineErrors } from '../errors.ts';
import { type Block, withBlock, withoutBlock } from '../setup/edit-settings.ts';
import { planFile, showFiles, writeFiles } from '../setup/file-changes.ts';
import type { CommandContext } from '../spec/context.ts';
import { completionScript, type Shell, SHELLS } from './shells.ts';

interface InstallInput {
  readonly args: { readonly shell: Shell | undefined };
  readonly options: { readonly remove: boolean; readonly dryRun: boolean };
}

type Environment = Readonly<Record<string, string | undefined>>;

export function installCompletion(context: CommandContext<InstallInput>, programs: readonly string[]): void {
  const { args, options, env, out } = context;
  const shell = args.shell ?? shellIn(env);
  const files = blocksFor(shell, programs, env).map(({ path, text }) => {
    const block: Block = { begin: BEGIN, end: END, text };
    return planFile(path, (before) => (options.remove ? withoutBlock(before, block) : withBlock(before, block)));
  });
  if (!options.dryRun) writeFiles(files);
  const isCurrent = files.every(({ change }) => change === 'none');
  const data = {
    shell,
    changed: !options.dryRun && !isCurrent,
    files: files.map(({ path, change }) => ({ path, change })),
  };
  out.result(data, (page) => {
    if (isCurrent) page.line(`Completion for ${shell} is ${options.remove ? 'not installed' : 'installed'}.`);
    else showFiles(page, files, options);
  });
  if (data.changed && !options.remove) context.note('Open a new shell to use it.');
}

const BEGIN = '# holdfast: begin, written by `holdfast completion install`';
const END = '# holdfast: end';

function shellIn(env: Environment): Shell {
  const name = basename(env['SHELL'] ?? '');
  const known = SHELLS.find((shell) => shell === name);
  if (known !== undefined) return known;
  throw commandLineErrors.INVALID_ARGUMENT(`There is no completion for the shell "${name}" in $SHELL.`, {
    hint: `Name your shell: holdfast completion install ${SHELLS.join('|')}`,
  });
}

interface BlockFile {
  readonly path: string;
  readonly text: string;
}

/** The shell reads the scripts from a file, because starting a program in every new shell would be slow. */
function blocksFor(shell: Shell, programs: readonly string[], env: Environment): readonly BlockFile[] {
  const home = env['HOME'] ?? homedir();
  const settings = env['XDG_CONFIG_HOME'] ?? join(home, '.config');
  const scriptOf = (program: string): string => completionScript(shell, program);
  if (shell === 'fish') {
    // At the first Tab, fish reads the file that is named after the program.
    return programs.map((program) => ({
      path: join(settings, 'fish/completions', `${program}.fish`),
      text: scriptOf(program),
    }));
  }
  const scripts = join(settings, 'holdfast', `completion.${shell}`);
  const [startFile, before] =
    shell === 'bash'
      ? [join(home, '.bashrc'), '']
      : [
          join(env['ZDOTDIR'] ?? home, '.zshrc'),
          '(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }\n',
        ];
  const quoted = `'${scripts.replaceAll("'", String.raw`'\''`)}'`;
  return [
    { path: scripts, text: programs.map(scriptOf).join('') },
    { path: startFile, text: `${before}[ ! -r ${quoted} ] || . ${quoted}\n` },
  ];
}
