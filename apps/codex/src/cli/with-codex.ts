import { join } from 'node:path';

import { holdfastHome, SECOND } from '@holdfast/base';

import { formatIdentity } from '../git/author.ts';
import { codexErrors } from '../model/errors.ts';
import type { FileEvent } from '../model/event.ts';
import type { Notebook } from '../model/notebook.ts';
import { settingsFrom } from '../model/settings.ts';
import { Codex } from '../service/codex.ts';
import { openContext } from '../service/context.ts';
import { errorOf } from '../service/failed-event.ts';
import type { Request } from '../service/requests.ts';
import { listNotebooks, namedNotebook } from '../store/notebooks.ts';

export interface CliContext {
  readonly options: { readonly notebook?: string | undefined; readonly timeout?: number | undefined };
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Opens codex for one command. A running server works through the queue as always; without one, the command takes the
 * lane of the notebook itself, and gives it back when it has drained it.
 */
export async function withCodex<T>(context: CliContext, body: (codex: Codex) => Promise<T>): Promise<T> {
  const home = holdfastHome(context.env);
  const opened = await openContext({
    home,
    databasePath: join(home, 'codex.db'),
    settings: settingsFrom(context.env),
    processIsEnding: true,
  });
  const codex = new Codex(opened);
  try {
    return await body(codex);
  } finally {
    await codex.close();
  }
}

/** The one that was named, else the one around the current folder, else the only one. */
export function chosenNotebook(codex: Codex, { options }: CliContext, folder: string = process.cwd()): Notebook {
  const { reader } = codex.store;
  if (options.notebook !== undefined) return namedNotebook(reader, options.notebook);
  const all = listNotebooks(reader);
  const around = all.find(({ path }) => `${folder}/`.startsWith(`${path}/`));
  const [only] = all;
  if (around !== undefined) return around;
  if (only !== undefined && all.length === 1) return only;
  const hint = `Choose one with --notebook: ${all.map(({ name }) => name).join(', ')}.`;
  if (only !== undefined) throw codexErrors.NOTEBOOK_NOT_FOUND('There are several notebooks', { hint });
  throw codexErrors.NOTEBOOK_NOT_FOUND('There is no notebook yet', {
    hint: 'Make one: holdfast codex notebook add NAME',
  });
}

const WAIT_SECONDS = 60;

/** Queues one operation and waits for its end; throws what made it fail. */
export async function perform(
  codex: Codex,
  context: CliContext,
  notebook: Notebook,
  request: Request,
): Promise<FileEvent> {
  const { events } = await codex.publish({
    notebookId: notebook.id,
    author: await authorOf(codex, notebook, context.env),
    requests: [request],
  });
  const [published] = events;
  if (published === undefined) throw codexErrors.EVENT_NOT_FOUND('The event is gone already');
  for (const { id } of events.slice(1)) await codex.wait(id, timeoutOf(context));
  return await ended(codex, context, published);
}

/** How an operation ended; throws what made it fail, or that it takes longer than somebody wants to wait. */
export async function ended(codex: Codex, context: CliContext, published: FileEvent): Promise<FileEvent> {
  const waited = await codex.wait(published.id, timeoutOf(context));
  const event = waited?.event ?? published;
  if (waited?.timedOut === true) throw codexErrors.WAIT_TIMEOUT(`Event ${event.id} is still ${event.status}`);
  if (event.status !== 'completed' && event.status !== 'superseded') throw errorOf(event);
  return event;
}

function timeoutOf({ options }: CliContext): number {
  return (options.timeout ?? WAIT_SECONDS) * SECOND;
}

type Env = CliContext['env'];

/** Who the environment says it is, else who git says. */
export async function authorOf({ git }: Codex, notebook: Notebook | undefined, env: Env): Promise<string> {
  const name = ['GIT_AUTHOR_NAME', 'USER', 'LOGNAME'].map((key) => env[key] ?? '').find((each) => each !== '');
  const email = env['GIT_AUTHOR_EMAIL'];
  if (name !== undefined) return email === undefined ? name : `${name} <${email}>`;
  if (notebook === undefined) return 'unknown';
  try {
    return formatIdentity((await git.repository(notebook.id)).user);
  } catch {
    // Files are written without git too; that it does not work is said elsewhere.
    return 'unknown';
  }
}
