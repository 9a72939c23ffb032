/** Commands that prepare or replace a workspace, read files, or serve an agent. */
import { basename, resolve } from 'node:path';

import { holdfastHome } from '@holdfast/base';
import { commandLineErrors } from '@holdfast/cli';
import { serveTools } from '@holdfast/cli/mcp';

import { readFile } from '../adapters/files.ts';
import { server, tools } from '../mcp/tools.ts';
import { addMessage, allMessages } from '../service/chat.ts';
import { initialise } from '../service/initialise.ts';
import { findBackup, restoreAt, restoreFrom, settleFiles } from '../service/restore.ts';
import { type Context, withRingmaster } from './with-ringmaster.ts';

export async function init(context: Context<unknown, { readonly name: string | undefined }>): Promise<void> {
  const { options, out } = context;
  const dir = resolve(options.dir ?? process.cwd());
  await withRingmaster(
    { ...context, options: { ...options, dir } },
    async (rm) => {
      const done = await initialise(rm, { home: holdfastHome(context.env), name: options.name });
      out.result(done, (page) => {
        page.line(`Ready in ${rm.workspace.filesPath}`);
        if (done.project !== null) page.line(`Project ${done.project}`);
      });
    },
    { create: true },
  );
}

type RestoreOptions = { readonly at: string | undefined; readonly from: string | undefined };

export async function restore(context: Context<unknown, RestoreOptions>): Promise<void> {
  const { options, out } = context;
  const { at, from } = options;
  if (from === undefined) {
    if (at === undefined) {
      throw commandLineErrors.MISSING_OPTION('Give --at with a revision or time, or --from with a backup');
    }
    return withRingmaster(context, async (rm) => {
      const restored = await restoreAt(rm, at);
      const { restored: back, moved_aside: away, missing } = restored.files;
      out.result(restored, (page) => {
        page.line(`Restored revision ${restored.revision}: ${restored.changed} changes undone`);
        page.line(`${back.length} files restored, ${away.length} files moved away`);
        for (const path of missing) page.line(`Missing: ${path}`);
        page.line(`To undo this: ringmaster restore --at ${restored.undo_with}`);
      });
    });
  }
  const { workspace, path } = await findBackup(options.dir ?? process.cwd(), from);
  const { kept } = await restoreFrom(workspace, path, at);
  await withRingmaster(context, async (rm) => {
    const files = settleFiles(rm);
    out.result({ from: path, kept: kept ?? null, files }, (page) => {
      page.line(`Restored the database from ${path}`);
      if (kept !== undefined) page.line(`The previous one is kept as ${kept}`);
    });
  });
}

interface ChatOptions {
  readonly task: string | undefined;
  readonly role: 'user' | 'assistant' | 'system';
  readonly media: string | undefined;
  readonly limit: number;
}

export async function chat(context: Context<{ readonly text: string | undefined }, ChatOptions>): Promise<void> {
  const { args, options, out } = context;
  const content = args.text === '-' ? (await context.stdin.text()).trimEnd() : args.text;
  await withRingmaster(context, async (rm) => {
    const { project, task, role, media, limit } = options;
    if (content === undefined && media === undefined) {
      const messages = allMessages(rm, { project, task, limit });
      out.result(messages, (page) => {
        if (messages.length === 0) page.line("No messages. 'ringmaster chat TEXT' adds one.");
        page.lines(messages.map((one) => `${one.id} ${one.role}: ${one.content}`));
      });
      return;
    }
    const file = media === undefined ? undefined : { bytes: readFile(media), name: basename(media) };
    const message = await addMessage(rm, { project, task, role, content: content ?? '', media: file });
    out.result(message, (page) => page.line(`Added message ${message.id}`));
  });
}

export async function mcp(context: Context<unknown, unknown>): Promise<void> {
  await withRingmaster(context, (rm) => {
    const actor = context.options.actor === undefined ? ({ type: 'agent', id: 'agent' } as const) : rm.actor;
    return serveTools(tools({ ...rm, actor }, { name: 'agent' }), server, { isOrdered: true });
  });
}
