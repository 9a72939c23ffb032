import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { connect, createServer as createTcpServer, type AddressInfo } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

import { onTestFinished } from 'vitest';

export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'holdfast-remote-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Starts a real git server over https that requires a password. Returns its address and the certificate to trust. */
export async function startHttpsServer(
  root: string,
  password: string,
): Promise<{ readonly url: string; readonly certificate: string; readonly users: string[] }> {
  const keys = temporaryFolder();
  const [key, certificate] = [join(keys, 'key.pem'), join(keys, 'cert.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const args = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key, '-out', certificate];
  execFileSync('openssl', [...args, ...subject], { stdio: 'ignore' });
  const users: string[] = [];
  const server = createServer({ key: readFileSync(key), cert: readFileSync(certificate) }, (request, response) => {
    const [user = '', given = ''] = Buffer.from((request.headers.authorization ?? '').slice(6), 'base64')
      .toString()
      .split(':');
    if (given !== password) {
      response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="git"' }).end();
      return;
    }
    users.push(user);
    const [path = '', query = ''] = (request.url ?? '').split('?');
    const child = spawn('git', ['http-backend'], {
      env: {
        PATH: process.env['PATH'],
        GIT_PROJECT_ROOT: root,
        GIT_HTTP_EXPORT_ALL: '1',
        REMOTE_USER: user,
        PATH_INFO: decodeURIComponent(path),
        QUERY_STRING: query,
        REQUEST_METHOD: request.method,
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
        GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      },
    });
    request.pipe(child.stdin);
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('close', () => {
      const answer = Buffer.concat(chunks);
      const end = answer.indexOf('\r\n\r\n');
      const headers = answer.subarray(0, end).toString('latin1').split('\r\n');
      const fields = headers.map((line): [string, string] => [
        line.slice(0, line.indexOf(':')),
        line.slice(line.indexOf(':') + 1).trim(),
      ]);
      const status = Number(fields.find(([name]) => name === 'Status')?.[1].slice(0, 3) ?? 200);
      response.writeHead(status, Object.fromEntries(fields)).end(answer.subarray(end + 4));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `https://localhost:${(server.address() as AddressInfo).port}`, certificate, users };
}

interface SshServer {
  readonly address: string;
  /** A key that the server accepts. */
  readonly keyFile: string;
  /** Folder with an `ssh` wrapper that trusts the server. */
  readonly programs: string;
}

/** Starts a real ssh server as this user; it accepts one key. */
export async function startSshServer(): Promise<SshServer> {
  const folder = temporaryFolder();
  chmodSync(folder, 0o700);
  for (const name of ['host', 'user']) {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, name)]);
  }
  writeFileSync(join(folder, 'authorized'), readFileSync(join(folder, 'user.pub')), { mode: 0o600 });
  const port = await freePort();
  const config = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${join(folder, 'host')}`,
    `AuthorizedKeysFile ${join(folder, 'authorized')}`,
    `PidFile ${join(folder, 'pid')}`,
    'StrictModes no',
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    'UsePAM no',
  ];
  writeFileSync(join(folder, 'config'), `${config.join('\n')}\n`);
  // sshd requires this folder if root starts it.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
  const program = execFileSync('sh', ['-c', 'command -v sshd || echo /usr/sbin/sshd'], { encoding: 'utf8' }).trim();
  const server = spawn(program, ['-D', '-e', '-f', join(folder, 'config')], { stdio: 'ignore' });
  onTestFinished(() => void server.kill('SIGKILL'));
  await reachable(port);
  const known = join(folder, 'known_hosts');
  writeFileSync(known, `[127.0.0.1]:${port} ${readFileSync(join(folder, 'host.pub'), 'utf8')}`);
  // ssh reads known hosts from the account's home folder and ignores HOME. This wrapper sets another file.
  const ssh = execFileSync('sh', ['-c', 'command -v ssh'], { encoding: 'utf8' }).trim();
  const programs = join(folder, 'bin');
  mkdirSync(programs);
  writeFileSync(join(programs, 'ssh'), `#!/bin/sh\nexec ${ssh} -F none -o UserKnownHostsFile=${known} "$@"\n`, {
    mode: 0o755,
  });
  const address = `ssh://${userInfo().username}@127.0.0.1:${port}`;
  return { address, keyFile: join(folder, 'user'), programs };
}

async function freePort(): Promise<number> {
  const server = createTcpServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function reachable(port: number): Promise<void> {
  for (;;) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy();
        resolve(true);
      });
      socket.on('error', () => resolve(false));
    });
    if (isOpen) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
