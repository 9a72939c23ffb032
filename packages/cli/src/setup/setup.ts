/** `np setup`, `ringmaster setup`: connects coding agents to a program. */
import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

import { commandLineErrors } from '../errors.ts';
import type { Page } from '../output/page.ts';
import type { ExitCode } from '../spec/command.ts';
import type { CommandContext } from '../spec/context.ts';
import { changesFor, type Guidance } from './agents.ts';
import { planFile, type PlannedFile, showFiles, withSetupError, writeFiles } from './file-changes.ts';
import type { Agent } from './spec.ts';

interface SetupInput {
  readonly args: { readonly agent: Agent };
  readonly options: {
    readonly dir?: string | undefined;
    readonly check: boolean;
    readonly remove: boolean;
    readonly dryRun: boolean;
  };
}

/** With `--check`, exit code 1 means that the agent is not set up, or that its files are outdated. */
export function setUpAgent(context: CommandContext<SetupInput>, guidance: Guidance): ExitCode {
  const { args, options, out } = context;
  const { check, remove, dryRun } = options;
  if (check && (remove || dryRun)) {
    throw commandLineErrors.INVALID_ARGUMENT('Use --check alone, without --remove or --dry-run.');
  }
  const files = planned(args.agent, guidance, { ...options, home: context.env['HOME'] ?? homedir() });
  const isCurrent = files.every(({ change }) => change === 'none');
  const isWriting = !check && !dryRun;
  // At this point, every file has been parsed, so a broken file leaves all others unchanged.
  if (isWriting) writeFiles(files);
  out.result(
    {
      agent: args.agent,
      set_up: remove ? dryRun && !isCurrent : isCurrent || isWriting,
      changed: isWriting && !isCurrent,
      files: files.map(({ path, change }) => ({ path, change })),
    },
    (page) => show(page, files, { ...options, agent: args.agent, isCurrent }),
  );
  return check && !isCurrent ? 1 : 0;
}

interface SetupTarget {
  readonly dir?: string | undefined;
  readonly home: string;
  readonly remove: boolean;
}

function planned(agent: Agent, guidance: Guidance, { dir, home, remove }: SetupTarget): readonly PlannedFile[] {
  const project = withSetupError(dir ?? '.', () => realpathSync.native(resolve(dir ?? '.')));
  return changesFor(agent, guidance, project).map((change) => {
    const path = join(change.isInHome === true ? home : project, change.path);
    return planFile(path, (text) => (remove ? change.remove(text, path) : change.add(text, path)));
  });
}

interface Shown {
  readonly agent: Agent;
  readonly check: boolean;
  readonly remove: boolean;
  readonly dryRun: boolean;
  readonly isCurrent: boolean;
}

function show(page: Page, files: readonly PlannedFile[], { agent, check, remove, dryRun, isCurrent }: Shown): void {
  if (isCurrent) return page.line(remove ? `${agent} is not set up here.` : `${agent} is set up.`);
  if (check) return page.line(`${agent} is not set up, or its files are outdated.`);
  showFiles(page, files, { dryRun });
}
