import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { StoredValue } from '@holdfast/base';
import { type CommitRequest, type Engine, sqliteEngine } from '@holdfast/keyspace';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { sharedServer, type TestServer } from '../../test/server.ts';
import { postgresEngine } from '../engine.ts';
import { fileTarget, openFileSource } from './file.ts';
import { cancelMove, moveStore } from './move.ts';
import type { MoveSource, MoveTarget } from './sides.ts';
import { openSpaceSource, openSpaceTarget, refusePassword } from './space.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});

function put(values: Readonly<Record<string, StoredValue | undefined>>): CommitRequest {
  const writes = new Map(Object.entries(values));
  return { base: undefined, reads: new Map(), ranges: [], writes, appends: [], additions: [], note: 'a note' };
}

const everything = { gte: '', lt: '\u{10ffff}', limit: 1_000_000, reverse: false } as const;

async function contents(engine: Engine): Promise<unknown> {
  const revision = await engine.revision();
  const oldest = (await engine.changes(Math.max(0, revision - 20), 100)).map((commit) => ({ ...commit }));
  return { revision, keys: await engine.range(everything), changes: oldest };
}

let places = 0;

interface Place {
  readonly open: () => Promise<Engine>;
  readonly source: () => Promise<MoveSource>;
  readonly target: () => Promise<MoveTarget>;
}

function newFile(): Place & { readonly folder: string; readonly path: string } {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-move-'));
  const path = join(folder, 'np.db');
  const open = (): Promise<Engine> => sqliteEngine({ path });
  return { folder, path, open, source: () => openFileSource(path), target: () => Promise.resolve(fileTarget(path)) };
}

function newSpace(): Place {
  const options = { address: `${server.address()}?installation=move-${process.pid}-${++places}`, space: 'np' };
  return {
    open: () => postgresEngine(options),
    source: () => openSpaceSource(options),
    target: () => openSpaceTarget(options),
  };
}

async function opened(place: Place): Promise<Engine> {
  const engine = await place.open();
  onTestFinished(() => engine.close());
  return engine;
}

interface Extras {
  readonly check?: (engine: Engine) => Promise<number>;
  readonly switchOver?: () => void;
}

async function move(from: Place, to: Place, extras: Extras = {}): ReturnType<typeof moveStore> {
  const source = await from.source();
  const target = await to.target();
  try {
    const { check = () => Promise.resolve(0), switchOver = () => undefined } = extras;
    return await moveStore({ source, target, check, switchOver });
  } finally {
    await target.close();
    await source.close();
  }
}

async function fill(place: Place): Promise<void> {
  const engine = await place.open();
  const values = Object.fromEntries(Array.from({ length: 3_000 }, (_, n) => [`k/${n}`, `value ${n}`]));
  await engine.commit(put(values));
  await engine.commit(put({ bytes: new Uint8Array([0, 1, 255]), 'ü\u{1F600}': "it's \\ text", empty: '' }));
  await engine.commit(put({ empty: undefined, none: new Uint8Array(), long: 'x'.repeat(100_000) }));
  for (let n = 0; n < 250; n++) await engine.commit(put({ n: String(n) }));
  await engine.close();
}

async function contentsOf(place: Place): Promise<unknown> {
  const engine = await place.open();
  try {
    return await contents(engine);
  } finally {
    await engine.close();
  }
}

describe('a move', () => {
  it('to PostgreSQL, to another space and back keeps keys, values, revisions and the journal', async () => {
    const [file, space, other] = [newFile(), newSpace(), newSpace()];
    await fill(file);
    const before = await contentsOf(file);
    const moved = await move(file, space);
    expect(moved).toMatchObject({ keys: 3_005, revision: 253 });
    expect(await contentsOf(space)).toEqual(before);
    await move(space, other);
    expect(await contentsOf(other)).toEqual(before);
    const back = await move(other, file);
    expect(back).toMatchObject({ hash: moved?.hash, kept: expect.stringContaining('np.db.replaced-') as string });
    expect(await contentsOf(file)).toEqual(before);
    expect(readdirSync(file.folder).filter((name) => name.includes('.moving-'))).toEqual([]);
    const engine = await opened(file);
    expect(await engine.commit(put({ n: 'next' }))).toEqual({ conflict: false, revision: 254 });
    // Moving back to an earlier store replaces the old data there.
    await engine.close();
    await move(file, space);
    expect(await (await opened(space)).get('n')).toBe('next');
  });

  it.each(['file', 'space'] as const)('from a %s loses no commit of a busy writer', async (kind) => {
    const [from, to] = kind === 'file' ? [newFile(), newSpace()] : [newSpace(), newFile()];
    await fill(from);
    const writer = await opened(from);
    const acknowledged: string[] = [];
    const writing = (async () => {
      for (let n = 0; ; n++) {
        await writer.commit(put({ [`w/${n}`]: String(n), hot: String(n) }));
        acknowledged.push(`w/${n}`);
      }
    })().catch((error: unknown) => (error as { code: string }).code);
    let seen = 0;
    await move(from, to, {
      check: async () => {
        // At this point, the copy has been compared. The move must still copy the following commits.
        const start = acknowledged.length;
        while (acknowledged.length < start + 20) await new Promise((resolve) => setTimeout(resolve, 1));
        seen = acknowledged.length;
        return 0;
      },
    });
    expect(await writing).toBe('STORE_MOVED');
    expect(seen).toBeGreaterThan(19);
    const copy = await opened(to);
    const written = await copy.range({ ...everything, gte: 'w/', lt: 'w0' });
    expect(written).toHaveLength(acknowledged.length);
    expect(await copy.get('hot')).toBe(String(acknowledged.length - 1));
    expect(await contents(copy)).toEqual(await contents(writer));
  });

  it('stops writers of the place that was left, which still can be read', async () => {
    const [file, space] = [newFile(), newSpace()];
    await fill(file);
    const old = await opened(file);
    await move(file, space);
    await expect(old.commit(put({ n: 'lost' }))).rejects.toMatchObject({ code: 'STORE_MOVED' });
    await expect(old.commit(put({ n: 'lost' }))).rejects.toThrow(/has moved to postgres:\/\/holdfast@127\.0\.0\.1/);
    expect(await old.get('n')).toBe('249');
    await old.close();
    const left = await opened(space);
    await move(space, file);
    await expect(left.commit(put({ n: 'lost' }))).rejects.toThrow(/has moved to .*np\.db on /);
    expect(await left.get('n')).toBe('249');
    // The space is no longer authoritative, so it cannot be moved elsewhere.
    await expect(move(space, newSpace())).rejects.toMatchObject({ code: 'STORE_MOVED' });
  });

  it('refuses a place with other data, and changes nothing', async () => {
    const [file, space, other] = [newFile(), newSpace(), newFile()];
    await fill(file);
    for (const place of [space, other]) {
      const engine = await place.open();
      await engine.commit(put({ mine: '1' }));
      await engine.close();
      await expect(move(file, place)).rejects.toMatchObject({ code: 'MOVE_TARGET_IN_USE' });
      expect(await contentsOf(place)).toMatchObject({ keys: [['mine', '1']], revision: 1 });
    }
    const engine = await opened(file);
    expect((await engine.commit(put({ n: 'x' }))).conflict).toBe(false);
  });
});

describe('a copy that is not right', () => {
  it.each([
    ['a wrong value', `UPDATE holdfast_key SET text = 'damaged' WHERE space = $1 AND key = 'k/2999'`, 'values differ'],
    ['a missing key', `DELETE FROM holdfast_key WHERE space = $1 AND key = 'k/17'`, '3004 instead of 3005 keys'],
    [
      'a wrong entry of the journal',
      `UPDATE holdfast_journal SET note = 'other' WHERE space = $1 AND revision = 9`,
      'journal',
    ],
  ])('with %s is found, and the database stays where it is', async (_, damage, reason) => {
    const [file, space] = [newFile(), newSpace()];
    await fill(file);
    const source = await file.source();
    const target = await space.target();
    onTestFinished(() => source.close());
    onTestFinished(() => target.close());
    const disturbed: MoveSource = {
      ...source,
      engine: {
        ...source.engine,
        async snapshot() {
          await (target.engine as Awaited<ReturnType<typeof postgresEngine>>).spaceRows(damage);
          return source.engine.snapshot();
        },
      },
    };
    const check = (): Promise<number> => Promise.resolve(0);
    const moving = moveStore({ source: disturbed, target, check, switchOver: () => expect.unreachable() });
    await expect(moving).rejects.toThrow(reason);
    await expect(moving).rejects.toMatchObject({ code: 'MOVE_DIFFERS' });
    const engine = await opened(file);
    expect((await engine.commit(put({ n: 'x' }))).conflict).toBe(false);
    expect(await contentsOf(space)).toEqual({ revision: 0, keys: [], changes: [] });
  });

  it('because of its records is refused', async () => {
    const [file, space] = [newFile(), newSpace()];
    await fill(file);
    await expect(move(file, space, { check: () => Promise.resolve(2) })).rejects.toThrow('has 2 problems');
    expect((await (await opened(file)).commit(put({ n: 'x' }))).conflict).toBe(false);
    expect((await (await opened(space)).commit(put({ n: 'x' }))).conflict).toBe(false);
  });
});

describe('an interrupted move', () => {
  it.each(['file', 'space'] as const)('that stopped the writers of a %s can be cancelled', async (kind) => {
    const from = kind === 'file' ? newFile() : newSpace();
    await fill(from);
    const source = await from.source();
    onTestFinished(() => source.close());
    expect(await cancelMove(source)).toBe(false);
    const id = '00000000-0000-4000-8000-000000000000';
    await source.changeFence(undefined, { state: 'moving', move: id, to: 'elsewhere' });
    const engine = await opened(from);
    await expect(engine.commit(put({ n: 'x' }))).rejects.toMatchObject({ code: 'STORE_MOVED' });
    expect(await cancelMove(source)).toBe(true);
    expect((await engine.commit(put({ n: 'x' }))).conflict).toBe(false);
    // The process of the cancelled move may still run; it must no longer be able to complete the move.
    await expect(source.changeFence(id, { state: 'moved', move: id, to: 'elsewhere' })).rejects.toMatchObject({
      code: 'MOVE_REPLACED',
    });
  });

  it('is replaced by the next one; only one of them succeeds', async () => {
    const [file, space] = [newFile(), newSpace()];
    await fill(file);
    const first = move(file, space, {
      check: async () => {
        await move(file, space);
        return 0;
      },
    });
    await expect(first).rejects.toMatchObject({ code: 'MOVE_REPLACED' });
    expect(await contentsOf(space)).toEqual(await contentsOf(file));
    expect((await (await opened(space)).commit(put({ n: 'x' }))).conflict).toBe(false);
    // Repeating a completed move copies nothing; it only switches over again.
    let switched = 0;
    expect(await move(file, space, { switchOver: () => (switched += 1) })).toBeUndefined();
    expect(switched).toBe(1);
    expect(await (await opened(space)).get('n')).toBe('x');
  });
});

it('an address with a password is refused without showing it', () => {
  expect(() => refusePassword('postgres://ada:secret@localhost/x')).toThrow(/must not contain a password/);
  expect(() => refusePassword('postgres://ada:secret@localhost/x')).not.toThrow(/secret/);
  expect(() => refusePassword('postgres://ada@localhost/x')).not.toThrow();
});
