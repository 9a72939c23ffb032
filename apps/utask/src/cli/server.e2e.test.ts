import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Person } from '../../test/command.ts';
import { freePort } from '../../test/nats.ts';
import type { Task } from '../model/task.ts';

describe('ut server', () => {
  const started = async (person: Person, ...args: readonly string[]): Promise<{ pid: number; url: string }> => {
    onTestFinished(() => void person.ut('server', 'stop'));
    return person.data('server', 'start', '--port', String(await freePort()), ...args);
  };

  it('starts a server for this machine, says what it promises and lacks, and stops it', async () => {
    const person = new Person();
    expect(person.data('server', 'status')).toMatchObject({ backend: 'embedded', server: null, lacks: [] });
    const server = await started(person);
    expect(person.data('server', 'start'), 'it is started once').toMatchObject(server);
    const status = person.data<{ lacks: string[] }>('server', 'status', '--nats-url', server.url);
    expect(status).toMatchObject({ backend: 'nats', server: { pid: server.pid } });
    expect(status.lacks.join('\n')).toMatch(/sync_interval[^]*ut gc/);
    expect(person.ut('server', 'status', '--nats-url', server.url).stdout).toMatch(/^utask_tasks +1 replica$/m);
    expect(person.ut('server', 'status', '--nats-url', server.url, '--replicas', '3')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is a single server and cannot store 3 replicas'),
    });
    expect(person.data('server', 'stop')).toMatchObject({ pid: server.pid });
    expect(person.ut('ls', '--nats-url', server.url).code).toBe(5);
    expect(person.data('server', 'stop')).toBeNull();
  });

  it('keeps the tasks there from now on if asked, also after a restart', async () => {
    const person = new Person();
    const { url } = await started(person, '--use');
    const task = person.add('on the server', 'a');
    expect(person.data('ls', '--embedded')).toEqual([]);
    person.ut('server', 'stop');
    expect(person.ut('ls')).toMatchObject({ code: 5 });
    person.ut('server', 'start', '--port', new URL(url).port);
    expect(person.data('ls')).toEqual([task]);
  });

  it('says when it cannot start', async () => {
    const person = new Person();
    const { url } = await started(person);
    const other = new Person().ut('server', 'start', '--port', new URL(url).port);
    expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining('already in use') });
    renameSync(join(person.home, 'nats-server.json'), join(person.home, 'kept'));
    writeFileSync(join(person.home, 'nats-server.json'), '{"pid":');
    expect(person.data('server', 'stop'), 'a record that was cut off names no server').toBeNull();
    renameSync(join(person.home, 'kept'), join(person.home, 'nats-server.json'));
  });

  it('is where tasks are copied to and from, as often as needed', async () => {
    const person = new Person();
    const tasks = [person.add('one', 'a'), person.add('two', 'a', '日本語')];
    const { url } = await started(person);
    expect(person.data('move', '--to', url)).toMatchObject({ added: 2, unchanged: 0, skipped: [] });
    person.ut('undo', '--nats-url', url);
    expect(person.data('ls', '--nats-url', url), 'undone where the tasks were copied to').toEqual([]);
    expect(person.data('ls')).toEqual(tasks);
    person.ut('redo', '--nats-url', url);
    expect(person.data('move', '--to', url), 'again').toMatchObject({ added: 0, unchanged: 2 });
    expect(person.data('ls', '--nats-url', url, '--any', 'a')).toEqual(tasks);
    // A user who usually uses a server can still copy the tasks on this machine.
    const daily = ['--nats-url', url, '--embedded'];
    expect(person.data('move', ...daily, '--to', url)).toMatchObject({
      unchanged: 2,
      to: expect.stringContaining(url),
    });
    expect(person.ut('move', '--nats-url', url, '--to', url)).toMatchObject({ code: 2 });
    person.ut('done', tasks[0]!.id, '--nats-url', url);
    person.add('three');
    expect(person.data('move', '--to', url)).toMatchObject({ added: 1, skipped: [tasks[0]!.id] });
    expect(person.data('move', '--nats-url', url, '--to', 'embedded', '--overwrite')).toMatchObject({ overwritten: 1 });
    expect(person.data<Task[]>('ls', '--embedded')).toEqual(person.data('ls', '--nats-url', url));
    expect(person.data('move', '--to', 'embedded', '--to-profile', 'copy')).toMatchObject({ added: 3 });
  });
});

describe('configuration', () => {
  it('comes from options, then the environment, then the file', () => {
    const person = new Person({ UTASK_PROFILE: 'env' });
    writeFileSync(join(person.home, 'utask.json'), '{"profile":"file"}');
    person.add('in env');
    expect(person.data('ls', '--profile', 'other')).toEqual([]);
    const plain = new Person();
    writeFileSync(join(plain.home, 'utask.json'), '{"profile":"file"}');
    plain.add('in file');
    expect(plain.data('ls', '--profile', 'file')).toHaveLength(1);
  });

  it('is refused if it cannot be understood', () => {
    const person = new Person();
    writeFileSync(join(person.home, 'utask.json'), '{"color":"red"}');
    expect(person.ut('ls')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('"color" is not a known setting'),
    });
    expect(person.ut('server', 'start', '--use', '--port', '1')).toMatchObject({ code: 2 });
    expect(readFileSync(join(person.home, 'utask.json'), 'utf8'), 'and not replaced').toBe('{"color":"red"}');
    expect(new Person().ut('ls', '--profile', 'a.b')).toMatchObject({ code: 2 });
    expect(new Person({ UTASK_NATS_URL: 'nats://127.0.0.1:1', UTASK_CREDS: '/nonexistent' }).ut('ls')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('/nonexistent'),
    });
  });

  it('keeps its files to the person they belong to', () => {
    const person = new Person();
    person.add('one');
    for (const file of readdirSync(person.home)) expect(statSync(join(person.home, file)).mode & 0o077, file).toBe(0);
  });
});
