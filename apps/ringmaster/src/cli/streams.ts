/** Commands that print events and logs as they happen. */

import { followLog, type LogPiece, readLogs } from '../service/logs.ts';
import { maintainOnce, runMaintenance } from '../service/maintenance.ts';
import { attachTask } from '../service/run/attach.ts';
import { checkWorkers } from '../service/run/check-workers.ts';
import { planRun } from '../service/run/plan.ts';
import type { Ringmaster } from '../service/ringmaster.ts';
import { type RunSummary, runWorkers } from '../service/run/run.ts';
import type { RunEvent } from '../service/run/supervisor.ts';
import { requireSeenSettings } from '../service/run/supervisors.ts';
import { followEvents } from '../service/status.ts';
import { SlotLines } from './view/slot-lines.ts';
import { type Context, withRingmaster } from './with-ringmaster.ts';
import { printEvent } from './workspace.ts';

type EventOptions = { readonly since?: number; readonly type?: string; readonly follow: boolean };

export async function followEventLog(
  context: Context<{ readonly entity: string | undefined }, EventOptions>,
): Promise<void> {
  const { args, options, out } = context;
  const query = { since: options.since, type: options.type, entity: args.entity };
  await withRingmaster(context, async (rm) => {
    for await (const event of followEvents(rm, query, context.signal))
      out.item(event, (page) => printEvent(page, event));
  });
}

type LogOptions = { readonly follow: boolean; readonly attempt: number | undefined };

export async function logs(context: Context<{ readonly task: string }, LogOptions>): Promise<void> {
  const { args, options, out, isJson } = context;
  const show = (piece: LogPiece): void => {
    if (isJson) out.item(piece, () => undefined);
    else out.raw(piece.text);
  };
  await withRingmaster(context, async (rm) => {
    const query = { task: args.task, attempt: options.attempt };
    if (options.follow) for await (const piece of followLog(rm, query, context.signal)) show(piece);
    else for (const piece of readLogs(rm, query)) show(piece);
  });
}

export async function maintain(context: Context<unknown, { readonly once: boolean }>): Promise<void> {
  const { options, out, note } = context;
  await withRingmaster(context, async (rm) => {
    if (options.once) {
      const steps = await maintainOnce(rm);
      out.result(steps, (page) => page.lines(steps));
      return;
    }
    note('Running maintenance; press Ctrl-C to stop');
    await runMaintenance(rm, {
      signal: context.signal,
      pid: process.pid,
      onStep: (text) => out.item({ step: text }, (page) => page.line(text)),
    });
  });
}

interface RunOptions {
  readonly slots: number | undefined;
  readonly once: boolean;
  readonly dryRun: boolean;
  readonly check: boolean;
  readonly server: string | undefined;
  readonly workspace: string | undefined;
}

export async function run(context: Context<unknown, RunOptions>): Promise<void | 1> {
  const { options, out, env, signal, isJson, isInteractive, note } = context;
  return withRingmaster(
    context,
    async (rm) => {
      const slots = options.slots ?? rm.config.run.slots;
      const { project, once } = options;
      if (options.dryRun) {
        const planned = await planRun(rm, { slots, project });
        out.result(planned, (page) => {
          for (const { worker_id, task_id, title, command, prompt } of planned) {
            page.line(`${worker_id} would get ${task_id} ${title}: ${command.join(' ')} (${prompt})`);
          }
          if (planned.length === 0) page.line('No task can start');
        });
        return undefined;
      }
      if (options.check) {
        note('Trying each worker; this takes up to five minutes');
        const checks = await checkWorkers(rm, { env, signal, pid: process.pid });
        out.result(checks, (page) => {
          for (const { worker_id: id, result, problem, seconds } of checks) {
            page.line(
              problem === null ? `${id}: ok (${seconds} s)` : `${id}: ${result.replaceAll('_', ' ')}: ${problem}`,
            );
          }
        });
        return checks.some(({ problem }) => problem !== null) ? 1 : undefined;
      }
      requireSeenSettings(rm, env['RINGMASTER_SETTINGS']);
      const lines =
        isInteractive && !isJson ? new SlotLines({ write: out.raw, columns: process.stdout.columns }) : undefined;
      const tell = (event: RunEvent): void => {
        if (lines !== undefined) lines.tell(event);
        // Worker output would hide all other events, and the logs contain it anyway.
        else if (event.kind !== 'output') out.item(event, (page) => page.line(plainLine(event)));
      };
      if (lines === undefined) note('Running; press Ctrl-C to stop');
      const running = { slots, once, project, signal, pid: process.pid, env, tell };
      const summary =
        options.server === undefined ? await runWorkers(rm, running) : await runForServer(rm, options, running);
      lines?.finish();
      const { attempts, resumed, left, parked } = summary;
      out.item({ kind: 'summary', ...summary }, (page) => {
        page.line(`${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}, ${resumed} resumed from an earlier run`);
        page.lines(parked.map(({ id, until, reason }) => `Worker ${id} is parked until ${until}: ${reason}`));
        if (left.length > 0) page.line(`Unfinished: ${left.length}`);
        page.lines(left.map(({ id, title, why }) => `  ${id} ${title}: ${why}`));
      });
      return left.length > 0 ? 1 : undefined;
    },
    { create: options.server !== undefined },
  );
}

async function runForServer(
  rm: Ringmaster,
  { server, workspace }: Pick<RunOptions, 'server' | 'workspace'>,
  running: Parameters<typeof runWorkers>[1],
): Promise<RunSummary> {
  const { tasksOfServer } = await import('./server.ts');
  const { project, signal, tell, env } = running;
  const token = env['HOLDFAST_TOKEN'];
  const tasks = await tasksOfServer(rm, { server: server ?? '', workspace, token, project, signal, tell });
  // This workspace does not know the project: it belongs to the server, which checks its name.
  return runWorkers(tasks.rm, { ...running, project: undefined, source: tasks.source });
}

export async function attach(context: Context<{ readonly task: string }, unknown>): Promise<void> {
  const { args, env, out, note } = context;
  const tell = (event: RunEvent): void => note(plainLine(event));
  await withRingmaster(context, async (rm) => {
    const task = await attachTask(rm, { task: args.task, pid: process.pid, env, tell });
    out.result({ id: task.id, status: task.status }, (page) => page.line(`${task.id} returned: ${task.status}`));
  });
}

function plainLine({ slot, task, worker, text, kind }: RunEvent): string {
  const where = slot === undefined ? '' : `[${slot}] `;
  const what = [task, worker].filter((word) => word !== undefined).join(' ');
  return `${where}${what}${what === '' ? '' : ': '}${kind === 'problem' ? `! ${text}` : text}`;
}
