import { expect, it } from 'vitest';

import { Machine } from '../../test/machine.ts';
import { freePort } from '../../test/nginx.ts';

const holdfast = ['/opt/node', '/opt/holdfast/dist/bin/holdfast'] as const;

type Run = (...words: readonly string[]) => {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
};

/** One user's installed service. It remembers the tasks that its server has acknowledged. */
function service(run: Run, port: number, systemctl: readonly string[]) {
  const url = `http://127.0.0.1:${port}`;
  const acknowledged: string[] = [];
  let headers: Readonly<Record<string, string>> = {};
  const pid = (): string => run(...systemctl, 'show', '--property=MainPID', '--value', 'holdfast').stdout.trim();
  const ready = async (): Promise<void> => {
    const status = (): Promise<number> =>
      fetch(`${url}/readyz`).then(
        (response) => response.status,
        () => 0,
      );
    await expect.poll(status, { timeout: 60_000, interval: 100 }).toBe(200);
  };
  return {
    ready,
    createToken(...environment: readonly string[]): void {
      const create = ['token', 'create', '--name', 'test', '--scope', 'admin', '--json'];
      const { stdout } = run('env', ...environment, ...holdfast, ...create);
      const { secret } = (JSON.parse(stdout) as { data: { secret: string } }).data;
      headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
    },
    async addTask(text: string): Promise<void> {
      const body = JSON.stringify({ text });
      const { status } = await fetch(`${url}/api/utask/tasks`, { method: 'POST', headers, body });
      if (status === 201) acknowledged.push(text);
    },
    /** Waits for the server; returns the tasks that it has, and the tasks that it has acknowledged. */
    async tasks(): Promise<{ readonly found: readonly string[]; readonly acknowledged: readonly string[] }> {
      await ready();
      const response = await fetch(`${url}/api/utask/tasks`, { headers });
      const { data } = (await response.json()) as { data: { text: string }[] };
      return { found: data.map(({ text }) => text).toSorted(), acknowledged: acknowledged.toSorted() };
    },
    /** Repeatedly kills the server after systemd has started it. By default, systemd gives up after five restarts. */
    async killRepeatedly(): Promise<void> {
      let killed = '0';
      for (let time = 0; time < 6; time++) {
        await expect.poll(pid, { timeout: 30_000, interval: 100 }).not.toBeOneOf(['0', killed]);
        killed = pid();
        run('kill', '-9', killed);
      }
    },
  };
}

it('services of a user and of the machine come back with all data after kill -9, a reboot and a sudden stop', async () => {
  const machine = await Machine.boot();
  const [userPort, systemPort] = [await freePort(), await freePort()];
  machine.write('/home/ada/.config/holdfast/holdfast.toml', `port = ${userPort}\n`);
  machine.write('/etc/holdfast/holdfast.toml', `port = ${systemPort}\n`);
  machine.asRoot('chown', '-R', 'ada:ada', '/home/ada');
  machine.login();

  const [asAda, asRoot]: [Run, Run] = [(...words) => machine.asAda(...words), (...words) => machine.asRoot(...words)];
  const ofUser = service(asAda, userPort, ['systemctl', '--user']);
  const ofMachine = service(asRoot, systemPort, ['systemctl']);

  // A wrong setting ends the server at once, and the error names the log.
  machine.write('/etc/holdfast/holdfast.toml', 'prot = 1\n');
  const ended = asRoot(...holdfast, 'service', 'install', '--system');
  expect([ended.code, ended.stderr]).toEqual([
    1,
    expect.stringMatching(/\[SERVICE_FAILED\].*service logs --system\n$/su),
  ]);
  expect(asRoot(...holdfast, 'service', 'logs', '--system').stdout).toContain('[SERVER_CONFIG_INVALID]');
  machine.write('/etc/holdfast/holdfast.toml', `port = ${systemPort}\n`);

  // Without polkit, only root may make a user's services start at boot. The error names the command that root has to
  // run.
  const refused = asAda('env', '--chdir=/', 'HOLDFAST_HOME=home/ada/data', ...holdfast, 'service', 'install', '--json');
  expect(refused.code).toBe(1);
  const { error } = JSON.parse(refused.stderr) as { error: { code: string; hint: string } };
  expect([error.code, error.hint]).toEqual([
    'SERVICE_FAILED',
    expect.stringMatching(/: sudo loginctl enable-linger ada$/u),
  ]);
  // The service starts in another folder, so its file must not contain the relative path.
  expect(machine.read('/home/ada/.config/systemd/user/holdfast.service')).toContain('"HOLDFAST_HOME=/home/ada/data"');
  expect(asRoot('loginctl', 'enable-linger', 'ada').code).toBe(0);
  expect(asAda(...holdfast, 'service', 'install')).toMatchObject({ code: 0, stderr: '' });
  expect(asRoot(...holdfast, 'service', 'install', '--system')).toMatchObject({ code: 0, stderr: '' });
  await ofUser.ready();
  await ofMachine.ready();
  expect(asAda(...holdfast, 'service', 'logs').stdout).toContain(`http://127.0.0.1:${userPort}/setup#`);
  expect(asRoot(...holdfast, 'service', 'logs', '--system').stdout).toContain(`http://127.0.0.1:${systemPort}/setup#`);
  ofUser.createToken();
  ofMachine.createToken('HOLDFAST_HOME=/var/lib/holdfast');

  const both = [ofUser, ofMachine];
  const hasAll = async (each: typeof ofUser, count: number): Promise<void> => {
    const { found, acknowledged } = await each.tasks();
    expect(found).toEqual(acknowledged);
    expect(found).toHaveLength(count);
  };
  await Promise.all(
    both.map(async (each) => {
      await each.addTask('Before the kills');
      await each.killRepeatedly();
      await hasAll(each, 1);
      await each.addTask('Before the reboot');
    }),
  );
  await machine.reboot();
  for (const each of both) {
    await hasAll(each, 2);
    await each.addTask('Before the stop');
  }
  await machine.stopSuddenly();
  for (const each of both) await hasAll(each, 3);

  expect(asAda(...holdfast, 'service', 'status').code).toBe(0);
  expect(asAda(...holdfast, 'service', 'uninstall').code).toBe(0);
  expect(asRoot(...holdfast, 'service', 'uninstall', '--system').code).toBe(0);
  expect(asAda(...holdfast, 'service', 'status').code).toBe(3);
  expect(asRoot(...holdfast, 'service', 'status', '--system').code).toBe(3);
  await machine.reboot();
  for (const port of [userPort, systemPort])
    await expect(fetch(`http://127.0.0.1:${port}/readyz`)).rejects.toThrow('fetch failed');
  expect(
    asRoot('ls', '/var/lib/holdfast', '/home/ada/.local/share/holdfast').stdout.match(/utask\.db$/gmu),
  ).toHaveLength(2);
});
