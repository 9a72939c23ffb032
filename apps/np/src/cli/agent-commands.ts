/**
 * Commands that are not operations: they print guidance, serve MCP tools or run full-screen.
 */
import { isHoldfastError } from '@holdfast/base';
import type { CommandContext } from '@holdfast/cli';
import { serveTools } from '@holdfast/cli/mcp';
import { canonicalDirectory, databaseOf, fileIdentity } from '../adapters/files.ts';
import { server, tools } from '../mcp/tools.ts';
import { PRIME } from '../model/guidance.ts';
import { planOutline, skippedLines } from '../model/brief.ts';
import { npErrors } from '../model/errors.ts';
import { openNp, pinSession } from '../service/np.ts';
import { showPlan as showPlanOperation } from '../operations/sessions.ts';
import { showPlan, type ShownPlan } from '../service/plan.ts';
import type { TargetOptions } from './command.ts';
import { type NpContext, targetOf, withNp } from './with-np.ts';

type TargetContext = CommandContext<{ readonly options: TargetOptions }>;

export async function printPrime(context: TargetContext): Promise<void> {
  const outline = await currentOutline(context);
  const text = outline === undefined ? PRIME : `${PRIME}\n## Current plan\n${outline}\n`;
  context.out.result({ markdown: text }, (page) => page.line(text.trimEnd()));
}

/**
 * Returns the outline of the current plan; undefined if there is none. Fails only if --session is given: a hook runs
 * the command without this option, and must not fail.
 */
async function currentOutline({ options, env }: Omit<NpContext, 'note'>): Promise<string | undefined> {
  const skipped = new Set<string>();
  try {
    if (options.server !== undefined) {
      const { remoteRun } = await import('./remote.ts');
      return planOutline((await remoteRun(options, env)(showPlanOperation, {})) as ShownPlan);
    }
    const np = await openNp({ ...databaseOf(env), create: false, onUnreadable: (key) => void skipped.add(key) });
    const outline = planOutline(await showPlan(np, targetOf(np, options).where));
    return [outline, ...skippedLines(skipped)].join('\n');
  } catch (error) {
    if (options.session !== undefined) throw error;
    if (!isHoldfastError(error, 'VALUE_UNREADABLE')) return undefined;
    return `${error.message} ${error.hint ?? ''}`;
  }
}

/** Serves until standard input ends. */
export async function serveMcp({ options, env }: TargetContext): Promise<void> {
  (await import('./remote.ts')).requireLocal(options, 'np mcp');
  const skipped = new Set<string>();
  const np = await openNp({ ...databaseOf(env), onUnreadable: (key) => void skipped.add(key) });
  try {
    const { where, directory } = targetOf(np, options);
    const target = { np, where: options.session === undefined ? where : await pinSession(np, where), directory };
    await serveTools(tools(target, { name: options.actor ?? '' }, skipped), server, { isOrdered: true });
  } finally {
    await np.close();
  }
}

export async function runMonitor(context: TargetContext): Promise<void> {
  if (!context.isInteractive) throw npErrors.NOT_A_TERMINAL('The monitor needs a terminal.');
  const { options, env, signal } = context;
  (await import('./remote.ts')).requireLocal(options, 'np m');
  const database = databaseOf(env);
  // Rejects a missing session before the monitor takes the terminal.
  const where = await withNp(context, (target) =>
    options.session === undefined ? Promise.resolve(target.where) : pinSession(target.np, target.where),
  );
  const hasNoColor = env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== '';
  const { runMonitor: run } = await import('../tui/monitor.ts');
  await run({
    database: {
      open: (onUnreadable) => openNp({ ...database, onUnreadable }),
      identity: () => database.address ?? fileIdentity(database.path),
    },
    where,
    directory: canonicalDirectory(options.dir),
    useColour: !hasNoColor && !context.given.some(({ name }) => name === 'color'),
    signal,
  });
}
