import { join } from 'node:path';

import { holdfastHome, rememberStore } from '@holdfast/base';
import { type CommandContext, commandLineErrors } from '@holdfast/cli';
import { locateDatabase, movable, type StoreLocation } from '@holdfast/hub/databases';
import {
  cancelMove,
  fileTarget,
  moveErrors,
  type MoveProgress,
  type MoveSource,
  moveStore,
  type MoveTarget,
  openFileSource,
  openSpaceSource,
  openSpaceTarget,
  refusePassword,
} from '@holdfast/postgres';

import { checkIndexes, loadSchema } from './verify.ts';

interface Input {
  readonly args: { readonly db: string };
  readonly options: { readonly to: string | undefined; readonly cancel: boolean };
}

type Location = StoreLocation & { readonly name: NonNullable<StoreLocation['name']> };

export async function run(context: CommandContext<Input>): Promise<void> {
  const { args, env, options, out } = context;
  const home = holdfastHome(env);
  const location = locateDatabase(args.db, home, env);
  if (!isMovable(location)) throw moveErrors.MOVE_IMPOSSIBLE(`${args.db} can only be stored in a file on this machine`);
  const { name } = location;
  if (options.to === undefined || options.cancel) {
    if (options.to !== undefined || !options.cancel) {
      throw commandLineErrors.MISSING_OPTION('Say where to move the database with --to, or undo a move with --cancel');
    }
    return cancel(context, location);
  }
  const address = addressOf(options.to);
  if (address === location.address) {
    return out.result({ database: name, moved: false, to: options.to }, (page) =>
      page.line(`${name} is already there`),
    );
  }
  const source = await openSource(location);
  try {
    const target = await openTarget({ ...location, path: join(home, `${name}.db`), address });
    try {
      await move(context, name, source, target, () => rememberStore(home, name, address));
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

function isMovable(location: StoreLocation): location is Location {
  return location.name !== undefined && movable.has(location.name);
}

/** Returns the address of the PostgreSQL server; undefined if the database moves into a file. */
function addressOf(to: string): string | undefined {
  if (to === 'sqlite') return undefined;
  if (!/^postgres(ql)?:/.test(to)) throw moveErrors.MOVE_IMPOSSIBLE('--to must be sqlite, or start with postgres://');
  refusePassword(to);
  return to;
}

function openSource({ path, address, name }: Location): Promise<MoveSource> {
  return address === undefined ? openFileSource(path) : openSpaceSource({ address, space: name });
}

async function openTarget({ path, address, name }: Location): Promise<MoveTarget> {
  return address === undefined ? fileTarget(path) : openSpaceTarget({ address, space: name });
}

async function move(
  { out, progress }: CommandContext<Input>,
  name: Location['name'],
  source: MoveSource,
  target: MoveTarget,
  switchOver: () => void,
): Promise<void> {
  using bars = progressOf(progress);
  const moved = await moveStore({
    source,
    target,
    switchOver,
    onProgress: bars.report,
    check: async (engine) => {
      const schema = await loadSchema(name);
      return schema === undefined ? 0 : (await checkIndexes(engine, schema, false)).length;
    },
  });
  bars.finish();
  const data = {
    database: name,
    moved: true,
    from: source.place,
    to: target.place,
    ...(moved === undefined
      ? { completed: true }
      : { keys: moved.keys, revision: moved.revision, sha256: moved.hash, fenced_ms: moved.fencedMs }),
  };
  out.result(data, (page) => {
    page.line(`${name} is now at ${target.place}`);
    if (moved === undefined) page.line('An interrupted move was completed');
    else page.line(`${moved.keys} keys, revision ${moved.revision}; writers waited for ${moved.fencedMs} ms`);
    page.line(`${source.place} stays as it is and accepts no more writes`);
    if (moved?.kept !== undefined) page.line(`The previous file is kept as ${moved.kept}`);
    page.line('Restart servers and monitors that were running');
  });
}

/** One bar for each step. */
function progressOf(start: CommandContext['progress']): Disposable & { report: MoveProgress; finish(): void } {
  let shown: { readonly step: string; readonly bar: ReturnType<typeof start>; done: number } | undefined;
  const finish = (): void => shown?.bar.finish();
  return {
    report(step, done, total) {
      if (shown?.step !== step) {
        finish();
        shown = { step, bar: start(step, total), done: 0 };
      }
      shown.bar.advance(done - shown.done);
      shown.done = done;
    },
    finish,
    [Symbol.dispose]: finish,
  };
}

async function cancel({ out }: CommandContext<Input>, location: Location): Promise<void> {
  const source = await openSource(location);
  try {
    const cancelled = await cancelMove(source);
    out.result({ database: location.name, cancelled }, (page) =>
      page.line(
        cancelled ? `${source.place} accepts writes again` : `There is no interrupted move of ${location.name}`,
      ),
    );
  } finally {
    await source.close();
  }
}
