/**
 * Commands that are not operations: they print guidance, edit an agent's settings, serve MCP tools or run full-screen.
 */
import { join } from 'node:path';
import { type CommandContext, commandLineErrors, type ExitCode } from '@holdfast/cli';
import { serveToolsInOrder } from '@holdfast/cli/mcp';
import { canonicalDirectory, databasePath, fileIdentity, readTextIfPresent, replaceText } from '../adapters/files.ts';
import { tools } from '../mcp/tools.ts';
import { type Agent, AGENT_FILES, MCP_INSTRUCTIONS, PRIME, withGuidance, withoutGuidance } from '../model/guidance.ts';
import { planOutline } from '../model/brief.ts';
import { npErrors } from '../model/errors.ts';
import { openNp, pinSession } from '../service/np.ts';
import { showPlan } from '../service/plan.ts';
import type { TargetOptions } from './command.ts';
import { type NpContext, targetOf, withNp } from './with-np.ts';

type TargetContext = CommandContext<{ readonly options: TargetOptions }>;

export async function printPrime(context: TargetContext): Promise<void> {
  const outline = await currentOutline(context);
  const text = outline === undefined ? PRIME : `${PRIME}\n## Current plan\n${outline}\n`;
  context.out.result({ markdown: text }, (page) => page.line(text.trimEnd()));
}

/** Returns undefined without a readable plan: the hook at the start of an agent's session must not fail. */
async function currentOutline({ options, env }: Omit<NpContext, 'note'>): Promise<string | undefined> {
  try {
    const np = await openNp({ path: databasePath(env), create: false });
    return planOutline(await showPlan(np, targetOf(np, options).where));
  } catch (error) {
    if (options.session !== undefined) throw error;
    return undefined;
  }
}

interface SetupInput {
  readonly args: { readonly agent: Agent };
  readonly options: { readonly dir: string | undefined; readonly check: boolean; readonly remove: boolean };
}

/** With `--check`, exit code 1 means that the agent is not set up or that its instructions are outdated. */
export function setUpAgent({ args: { agent }, options, out }: CommandContext<SetupInput>): ExitCode {
  const { check, remove } = options;
  if (check && remove) throw commandLineErrors.INVALID_ARGUMENT('Use either --check or --remove, not both.');
  const path = join(canonicalDirectory(options.dir), AGENT_FILES[agent].path);
  const content = readTextIfPresent(path);
  const wanted = remove ? withoutGuidance(content, agent) : withGuidance(content, agent);
  const isCurrent = wanted === (content ?? '');
  if (!check && !isCurrent) replaceText(path, wanted);
  const message = setupMessage(agent, path, options, isCurrent);
  out.result({ agent, path, set_up: remove ? false : isCurrent || !check, changed: !check && !isCurrent }, (page) =>
    page.line(message),
  );
  return check && !isCurrent ? 1 : 0;
}

function setupMessage(
  agent: Agent,
  path: string,
  { check, remove }: SetupInput['options'],
  isCurrent: boolean,
): string {
  if (remove) return isCurrent ? `${path} has no np guidance.` : `Removed the np guidance from ${path}.`;
  if (isCurrent) return `${agent} is set up in ${path}.`;
  return check ? `${agent} is not set up in ${path}.` : `Set up ${agent} in ${path}.`;
}

/** Serves until standard input ends. */
export async function serveMcp({ options, env, stdin, out }: TargetContext): Promise<void> {
  const np = await openNp({ path: databasePath(env) });
  try {
    const { where, directory } = targetOf(np, options);
    const target = { np, where: options.session === undefined ? where : await pinSession(np, where), directory };
    const info = { name: 'np', version: '0.1.0', instructions: MCP_INSTRUCTIONS };
    await serveToolsInOrder(stdin.lines(), out.raw, tools(target), info);
  } finally {
    await np.close();
  }
}

export async function runMonitor(context: TargetContext): Promise<void> {
  if (!context.isInteractive) throw npErrors.NOT_A_TERMINAL('The monitor needs a terminal.');
  const { options, env, signal } = context;
  const path = databasePath(env);
  // Rejects a missing session before the monitor takes the terminal.
  const where = await withNp(context, (target) =>
    options.session === undefined ? Promise.resolve(target.where) : pinSession(target.np, target.where),
  );
  const hasNoColor = env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== '';
  const { runMonitor: run } = await import('../tui/monitor.ts');
  await run({
    database: { open: () => openNp({ path }), identity: () => fileIdentity(path) },
    where,
    directory: canonicalDirectory(options.dir),
    useColour: !hasNoColor && !context.given.some(({ name }) => name === 'color'),
    signal,
  });
}
