import { type AddressInfo, createServer } from 'node:net';

import type { CommitRequest, Engine } from '@holdfast/keyspace';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { Proxy } from '../test/proxy.ts';
import { sharedServer, type TestServer } from '../test/server.ts';
import { postgresEngine, type PostgresOptions } from './engine.ts';

let server: TestServer;
let proxy: Proxy;
beforeAll(async () => {
  server = await sharedServer();
  proxy = await Proxy.start(server.port);
});
afterEach(() => {
  proxy.refuses = proxy.losesAnswers = proxy.losesRequests = false;
});
afterAll(() => proxy.close());

let spaces = 0;

async function open(
  patience: PostgresOptions['patience'] = {},
  space = `${process.pid}-f${++spaces}`,
): Promise<Engine> {
  const engine = await postgresEngine({ address: proxy.address, space, patience: { answerMs: 700, ...patience } });
  onTestFinished(() => engine.close());
  return engine;
}

const empty: CommitRequest = {
  base: undefined,
  reads: new Map(),
  ranges: [],
  writes: new Map(),
  appends: [],
  additions: [],
};
const addOne: CommitRequest = { ...empty, additions: [{ key: 'n', encoding: 'decimal', amount: 1 }] };
const put = (key: string, value: string): CommitRequest => ({ ...empty, writes: new Map([[key, value]]) });

describe('a lost connection', () => {
  it('does not repeat a commit that was made before its answer was lost', async () => {
    const engine = await open();
    for (const expected of ['2', '4', '6']) {
      await engine.commit(addOne);
      proxy.losesAnswers = true;
      const committed = engine.commit(addOne);
      await until(async () => (await valueOf(engine, 'n')) === expected);
      proxy.losesAnswers = false;
      proxy.cut();
      expect(await committed).toEqual({ conflict: false, revision: Number(expected) });
    }
    expect(await engine.get('n')).toBe('6');
    expect(await engine.changes(0, 10)).toHaveLength(6);
  });

  it('repeats a commit that never arrived', async () => {
    const engine = await open();
    await engine.commit(addOne);
    proxy.losesRequests = true;
    const committed = engine.commit(addOne);
    await pause(100);
    proxy.losesRequests = false;
    proxy.cut();
    expect(await committed).toEqual({ conflict: false, revision: 2 });
    expect(await engine.get('n')).toBe('2');
  });

  it('is noticed by the deadline of an answer, for reads and commits', async () => {
    const engine = await open();
    await engine.commit(addOne);
    expect(await engine.get('n')).toBe('1');
    proxy.losesAnswers = true;
    const read = engine.get('n');
    const committed = engine.commit(addOne);
    await pause(200);
    proxy.losesAnswers = false;
    // No connection was closed: both stay half open, and only the deadline ends the wait.
    expect(['1', '2']).toContain(await read);
    expect(await committed).toEqual({ conflict: false, revision: 2 });
    expect(await engine.get('n')).toBe('2');
  });

  it('leaves a commit in doubt if no server can be asked, and tells its fate later', async () => {
    const engine = await open({ totalMs: 300 });
    for (const wasMade of [true, false]) {
      await engine.commit(addOne);
      if (wasMade) proxy.losesAnswers = true;
      else proxy.losesRequests = true;
      const before = await valueIn(engine);
      const committed = engine.commit(addOne).then(
        () => 'acknowledged',
        (error: unknown) => error,
      );
      await pause(300);
      proxy.refuses = true;
      proxy.cut();
      const error = (await committed) as { code: string; details: { commit: string } };
      expect(error.code).toBe('STORE_IN_DOUBT');
      proxy.refuses = proxy.losesAnswers = proxy.losesRequests = false;
      expect(await engine.findCommit?.(error.details.commit)).toBe(wasMade ? before + 1 : undefined);
    }
    expect(await engine.get('n')).toBe('3');
  });

  it('gives each commit of a batch in doubt an id of its own', async () => {
    const engine = await open({ totalMs: 300 });
    // The engine knows the values of its own last commit, so the next commit needs no read.
    await engine.commit({ ...empty, writes: new Map(['a', 'b', 'c'].map((key) => [key, '0'])) });
    proxy.losesAnswers = true;
    const commits = ['a', 'b', 'c'].map((key) =>
      engine.commit(put(key, '1')).catch((error: { details: { commit: string } }) => error.details.commit),
    );
    await pause(300);
    proxy.refuses = true;
    proxy.cut();
    const ids = (await Promise.all(commits)) as string[];
    proxy.refuses = proxy.losesAnswers = false;
    const revisions: unknown[] = [];
    for (const id of ids) revisions.push(await engine.findCommit?.(id));
    expect(revisions).toEqual([2, 3, 4]);
  });

  it('does not disturb a snapshot', async () => {
    const engine = await open();
    await engine.commit(put('a', '1'));
    const snapshot = await engine.snapshot();
    expect(await snapshot.get('a')).toBe('1');
    proxy.cut();
    await engine.commit(put('a', '2'));
    proxy.cut();
    expect(await snapshot.get('a')).toBe('1');
  });

  it('does not make a watcher miss a commit', async () => {
    const engine = await open();
    let calls = 0;
    onTestFinished(engine.onChange(() => (calls += 1)));
    await until(() => Promise.resolve(calls > 0));
    // Ends the LISTEN connection on the server; then another process makes the next commit.
    const space = `${process.pid}-f${spaces}`;
    await server.run(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE '%listens'`);
    const other = await open({}, space);
    const before = calls;
    await other.commit(addOne);
    await until(() => Promise.resolve(calls > before));
    expect((await engine.changes(0, 10)).map(({ revision }) => revision)).toEqual([1]);
  });

  it('that goes silent does not make a watcher miss a commit', async () => {
    const engine = await open();
    let calls = 0;
    onTestFinished(engine.onChange(() => (calls += 1)));
    await until(() => Promise.resolve(calls > 0));
    // A stopped process keeps its connection open but passes nothing on.
    const listening = `SELECT pid FROM pg_stat_activity WHERE application_name = 'holdfast listens'`;
    const pids = (await server.run(listening)).map(([pid]) => Number(pid));
    expect(pids).not.toEqual([]);
    for (const pid of pids) process.kill(pid, 'SIGSTOP');
    onTestFinished(() => {
      for (const pid of pids) process.kill(pid, 'SIGCONT');
    });
    const other = await open({}, `${process.pid}-f${spaces}`);
    const before = calls;
    await other.commit(addOne);
    await until(() => Promise.resolve(calls > before));
    expect((await engine.changes(0, 10)).map(({ revision }) => revision)).toEqual([1]);
  });

  it('is not answered with a storm of new connections', async () => {
    const engine = await open({ totalMs: 2_000 });
    await engine.commit(addOne);
    proxy.refuses = true;
    proxy.cut();
    const before = proxy.connections;
    await expect(Promise.resolve(engine.get('n'))).rejects.toMatchObject({ code: 'STORE_UNREACHABLE' });
    expect(proxy.connections - before).toBeGreaterThan(3);
    expect(proxy.connections - before).toBeLessThan(25);
  });

  it('is waited for, even if another server of the address is broken', async () => {
    const fields = ['SFATAL', 'C58P01', 'Mcould not open file "global/pg_filenode.map"', ''].map(
      (field) => `${field}\0`,
    );
    const text = Buffer.from(fields.join(''));
    const length = Buffer.alloc(4);
    length.writeUInt32BE(text.length + 4);
    const broken = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(Buffer.concat([Buffer.from('E'), length, text])));
    });
    await new Promise<void>((resolve) => broken.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void broken.close());
    const { port } = broken.address() as AddressInfo;
    const address = `postgres://holdfast@127.0.0.1:${port},127.0.0.1:${proxy.port}/postgres`;
    proxy.refuses = true;
    const opening = postgresEngine({ address, space: `${process.pid}-f${++spaces}` });
    await Promise.race([opening, pause(300)]);
    proxy.refuses = false;
    const engine = await opening;
    onTestFinished(() => engine.close());
    expect(await engine.commit(addOne)).toEqual({ conflict: false, revision: 1 });
  });

  it('names no password', async () => {
    const address = proxy.address.replace('holdfast@', 'holdfast:s3cret@');
    proxy.refuses = true;
    const error = await postgresEngine({ address, space: 'x', patience: { totalMs: 1 } }).catch(
      (reason: unknown) => reason,
    );
    proxy.refuses = false;
    expect((error as { code: string }).code).toBe('STORE_UNREACHABLE');
    const seen: unknown[] = [];
    for (let at = error as Error | undefined; at !== undefined; at = at.cause as Error | undefined) {
      seen.push(at.message, at.stack, JSON.stringify(at));
    }
    expect(seen.join('\n')).not.toContain('s3cret');
  });
});

describe('round trips', () => {
  async function during(purpose: string, action: () => unknown): Promise<number> {
    const count = (): number => proxy.roundTrips.get(purpose) ?? 0;
    const before = count();
    await action();
    return count() - before;
  }

  it('are at most two per commit, one for the only writer, and one per getMany', async () => {
    const engine = await open();
    await engine.commit(addOne);
    expect(await during('commits', () => engine.commit(addOne))).toBe(1);
    expect(await during('commits', () => engine.commit(put('unknown', '1')))).toBe(2);
    const keys = Array.from({ length: 100 }, (_, index) => `k${index}`);
    // Notifications use the same connections as reads.
    await pause(100);
    expect(await during('reads', () => engine.getMany(keys))).toBe(1);
  });

  it('are one per commit of a new record with index and log entries', async () => {
    const engine = await open();
    const add = (id: string): CommitRequest => ({
      ...empty,
      base: 0,
      reads: new Map([[`record/${id}`, undefined]]),
      writes: new Map([
        [`record/${id}`, '{}'],
        [`index/${id}`, ''],
      ]),
      expectedNew: new Set([`index/${id}`]),
      appends: [{ counterKey: 'seq', encoding: 'decimal', counterHolds: 'last', build: (n) => [[`log/${n}`, id]] }],
    });
    await engine.commit(add('a'));
    // The second one read an older revision. Only this process has committed since, so the read still holds.
    expect(await during('commits', () => engine.commit(add('b')))).toBe(1);
    expect(await engine.getMany(['index/a', 'index/b', 'log/1', 'log/2'])).toEqual(['', '', 'a', 'b']);
  });
});

describe('a key that was expected to be new', () => {
  const entry = { writes: new Map([['index/a', 'new']]), expectedNew: new Set(['index/a']) };

  it('but exists is replaced, and the journal has its old value', async () => {
    const engine = await open();
    await engine.commit(put('index/a', 'old'));
    expect(await engine.commit({ ...empty, ...entry })).toEqual({ conflict: false, revision: 2 });
    expect((await engine.changes(1, 9))[0]?.changes).toEqual([{ key: 'index/a', before: 'old', after: 'new' }]);
  });

  it('but exists is deleted by the next commit of the same batch', async () => {
    const writer = await open();
    await writer.commit(put('index/a', 'old'));
    const engine = await open({}, `${process.pid}-f${spaces}`);
    const outcomes = await Promise.all([
      engine.commit({ ...empty, ...entry }),
      engine.commit({ ...empty, writes: new Map([['index/a', undefined]]) }),
    ]);
    expect(outcomes.map((outcome) => !outcome.conflict && outcome.revision)).toEqual([2, 3]);
    expect(await engine.get('index/a')).toBeUndefined();
    expect((await engine.changes(1, 9))[0]?.changes).toEqual([{ key: 'index/a', before: 'old', after: 'new' }]);
  });
});

describe('recent values', () => {
  it('do not hide the commit of another process', async () => {
    const engine = await open();
    const rival = await postgresEngine({ address: server.address(), space: `${process.pid}-f${spaces}` });
    onTestFinished(() => rival.close());
    await engine.commit(addOne);
    await rival.commit(addOne);
    expect(await engine.commit(addOne)).toEqual({ conflict: false, revision: 3 });
    const stale = { ...put('n', '9'), base: 1, reads: new Map([['n', '1']]) };
    expect(await engine.commit(stale)).toEqual({ conflict: true });
  });

  it('find the conflict of a read that an own commit made outdated', async () => {
    const engine = await open();
    await engine.commit(addOne);
    await engine.commit(addOne);
    const read = (value: string): CommitRequest => ({ ...put('m', value), base: 1, reads: new Map([['n', value]]) });
    expect(await engine.commit(read('1'))).toEqual({ conflict: true });
    expect(await engine.commit(read('2'))).toEqual({ conflict: false, revision: 3 });
    await engine.commit(put('n', 'x'.repeat(5_000)));
    expect(await engine.commit(read('2'))).toEqual({ conflict: true });
  });
});

it('a process that loses its first race takes the lock first, so rivals cannot starve it', async () => {
  const engine = await open();
  const rival = await postgresEngine({ address: server.address(), space: `${process.pid}-f${spaces}` });
  onTestFinished(() => rival.close());
  onTestFinished(() => void (proxy.beforeRequest = undefined));
  let attempts = 0;
  const rivals: Promise<unknown>[] = [];
  // A rival commits before each attempt reaches the server. If the process holds the lock, the rival has to wait.
  proxy.beforeRequest = async (data) => {
    if (!data.includes('contested')) return;
    attempts += 1;
    if (attempts > 5) return;
    const committed = rival.commit(put('k', `rival ${attempts}`));
    rivals.push(committed);
    await Promise.race([committed, pause(500)]);
  };
  await engine.commit(put('k', 'contested'));
  await Promise.all(rivals);
  expect(attempts).toBe(2);
});

describe('the server', () => {
  it('may cancel the wait for a standby: then the commit is looked up, not acknowledged', async () => {
    const engine = await open({ answerMs: 20_000 });
    await engine.commit(addOne);
    await server.run(`ALTER SYSTEM SET synchronous_standby_names = 'nobody'`);
    await server.run('SELECT pg_reload_conf()');
    const waiting = `FROM pg_stat_activity WHERE application_name = 'holdfast commits' AND wait_event = 'SyncRep'`;
    const isWaiting = async (): Promise<boolean> => (await server.run(`SELECT 1 ${waiting}`)).length > 0;
    let isAcknowledged = false;
    let committed: Promise<unknown>;
    let revision = 1;
    try {
      // The server reads the new setting some time after pg_reload_conf. Until then, commits do not wait.
      do {
        isAcknowledged = false;
        revision += 1;
        committed = engine.commit(addOne).then((outcome) => {
          isAcknowledged = true;
          return outcome;
        });
        await until(async () => isAcknowledged || (await isWaiting()));
      } while (isAcknowledged);
      await server.run(`SELECT pg_cancel_backend(pid) ${waiting}`);
      // The engine now looks up whether its commit was made. This lookup waits for a standby too.
      await until(isWaiting);
      expect(isAcknowledged).toBe(false);
      await server.run(`ALTER SYSTEM RESET synchronous_standby_names`);
      await server.run('SELECT pg_reload_conf()');
      expect(await committed).toEqual({ conflict: false, revision });
      expect(await engine.get('n')).toBe(String(revision));
    } finally {
      await server.run(`ALTER SYSTEM RESET synchronous_standby_names`);
      await server.run('SELECT pg_reload_conf()');
    }
  });

  it('is refused if the database is not in UTF-8 or sorts keys in another order', async () => {
    const name = `unsuitable_${process.pid}`;
    await server.run(`CREATE DATABASE ${name}_latin ENCODING 'LATIN1' TEMPLATE template0`);
    await server.run(`CREATE DATABASE ${name}_order`);
    const openIn = (database: string) => postgresEngine({ address: server.address(database), space: 'x' });
    await expect(openIn(`${name}_latin`)).rejects.toMatchObject({ code: 'STORE_UNSUITABLE' });
    await (await openIn(`${name}_order`)).close();
    await server.run('ALTER TABLE holdfast_key ALTER key TYPE text COLLATE "ucs_basic"', `${name}_order`);
    await expect(openIn(`${name}_order`)).rejects.toMatchObject({ code: 'STORE_UNSUITABLE' });
    await server.run('UPDATE holdfast_schema SET version = 99', `${name}_order`);
    await expect(openIn(`${name}_order`)).rejects.toMatchObject({ code: 'SCHEMA_NEWER' });
  });

  it('is prepared once when many processes open it at the same time', async () => {
    const database = `fresh_${process.pid}`;
    await server.run(`CREATE DATABASE ${database}`);
    const address = server.address(database);
    const engines = await Promise.all(Array.from({ length: 6 }, () => postgresEngine({ address, space: 'one' })));
    await Promise.all(engines.map((engine) => engine.commit(addOne)));
    expect(await engines[0]!.get('n')).toBe('6');
    await Promise.all(engines.map((engine) => engine.close()));
  });

  it('keeps the journal for a week and then drops whole partitions', async () => {
    const database = `trim_${process.pid}`;
    await server.run(`CREATE DATABASE ${database}`);
    const engine = await postgresEngine({ address: server.address(database), space: 'one' });
    onTestFinished(() => engine.close());
    for (let round = 0; round < 3; round++) await engine.commit(addOne);
    const week = 7 * 24 * 3_600_000;
    const old = Math.floor(Date.now() / week) - 2;
    const run = (text: string) => server.run(text, database);
    await run(`CREATE TABLE holdfast_journal_${old} PARTITION OF holdfast_journal
      FOR VALUES FROM (${old * week}) TO (${(old + 1) * week})`);
    await run(`UPDATE holdfast_journal SET at = ${old * week} WHERE revision <= 2`);
    expect(await engine.changes(0, 10)).toHaveLength(3);
    await run(`SELECT holdfast_maintain(${week})`);
    await expect(engine.changes(0, 10)).rejects.toMatchObject({ code: 'JOURNAL_TRIMMED' });
    expect((await engine.changes(2, 10)).map(({ revision }) => revision)).toEqual([3]);
    expect(await run(`SELECT to_regclass('holdfast_journal_${old}')`)).toEqual([[null]]);
    expect(await engine.commit(addOne)).toEqual({ conflict: false, revision: 4 });
  });
});

async function valueOf(engine: Engine, key: string): Promise<unknown> {
  const [row] = await server.run(
    `SELECT text FROM holdfast_key JOIN holdfast_space ON id = space
     WHERE name = '${process.pid}-f${spaces}' AND key = '${key}'`,
  );
  return row?.[0] ?? engine;
}

async function valueIn(engine: Engine): Promise<number> {
  return Number(await valueOf(engine, 'n'));
}

async function pause(milliseconds: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 30_000;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error('It did not happen within thirty seconds');
    await pause(20);
  }
}
