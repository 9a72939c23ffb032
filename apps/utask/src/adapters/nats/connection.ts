import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import { isIP, type Socket } from 'node:net';
import { checkServerIdentity } from 'node:tls';
import { delay, SECOND } from '@holdfast/base';
import { connect, credsAuthenticator, type NatsConnection, type TlsOptions } from '@nats-io/transport-node';
import { utaskErrors } from '../../model/errors.ts';
import { withoutPassword } from '../configuration.ts';

export interface NatsOptions {
  /** Address as nats://host:port, or several addresses separated by commas. */
  readonly url: string;
  readonly credentials?: string | undefined;
  readonly tlsCa?: string | undefined;
  readonly tlsCert?: string | undefined;
  readonly tlsKey?: string | undefined;
  /** How long operations wait for an unreachable server. */
  readonly patienceMs?: number | undefined;
}

const CONNECT_TIMEOUT_MS: number = 4 * SECOND;
const RECONNECT_WAIT_MS = 200;
const CLOSE_TIMEOUT_MS = 500;

export interface NatsLine {
  readonly connection: NatsConnection;
  close(): Promise<void>;
}

/**
 * Tracks the sockets and closes them with the connection. The NATS client would leave a socket open to a server that
 * accepts it and then stays silent, and an open socket keeps the command from exiting.
 */
export async function connectNats(options: NatsOptions): Promise<NatsLine> {
  const sockets = new Set<Socket>();
  const note = (message: unknown): void => void sockets.add((message as { readonly socket: Socket }).socket);
  subscribe('net.client.socket', note);
  const closeSockets = (): void => {
    unsubscribe('net.client.socket', note);
    for (const socket of sockets) socket.destroy();
  };
  try {
    const connection = await dial(options);
    return {
      connection,
      async close() {
        await Promise.race([connection.close(), delay(CLOSE_TIMEOUT_MS, undefined, false)]);
        closeSockets();
      },
    };
  } catch (error) {
    closeSockets();
    throw error;
  }
}

async function dial(options: NatsOptions): Promise<NatsConnection> {
  const servers = options.url.split(',').map((url) => new URL(url.includes('://') ? url : `nats://${url}`));
  const [{ username, password }] = servers as [URL];
  const usesTls = servers.some(({ protocol }) => protocol === 'tls:') || options.tlsCa !== undefined;
  const identity = { checkServerIdentity: identityOf(servers.map(({ hostname }) => hostname).filter(isIP)) };
  const tlsOptions: TlsOptions = { ...pathOf('caFile', options.tlsCa), ...clientCertificate(options), ...identity };
  const credentials = options.credentials === undefined ? {} : { authenticator: credentialsOf(options.credentials) };
  const user = username === '' ? {} : { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  try {
    return await connect({
      servers: servers.map(({ hostname, port }) => `${hostname}:${port === '' ? '4222' : port}`),
      name: 'utask',
      timeout: CONNECT_TIMEOUT_MS,
      reconnectTimeWait: RECONNECT_WAIT_MS,
      // Reconnects without limit, because each operation has its own time limit.
      maxReconnectAttempts: -1,
      ...(usesTls ? { tls: tlsOptions } : {}),
      ...credentials,
      ...user,
    });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const problem = /authoriz|authentic/i.test(message) ? utaskErrors.NATS_REFUSED : utaskErrors.NATS_UNREACHABLE;
    throw problem(`${withoutPassword(options.url)} cannot be reached: ${message}`, { cause: error });
  }
}

/**
 * For a server given by IP address, the NATS client checks the certificate for `localhost`, which rejects every
 * certificate for an address. This function accepts a certificate that contains the address.
 */
function identityOf(addresses: readonly string[]): typeof checkServerIdentity {
  return (name, certificate) => {
    const problem = checkServerIdentity(name, certificate);
    if (problem === undefined || name !== 'localhost') return problem;
    const isNamed = addresses.some((address) => checkServerIdentity(address, certificate) === undefined);
    return isNamed ? undefined : problem;
  };
}

function credentialsOf(path: string): ReturnType<typeof credsAuthenticator> {
  try {
    return credsAuthenticator(readFileSync(path));
  } catch (error) {
    throw utaskErrors.BAD_CONFIGURATION(`The credentials file ${path} cannot be read.`, { cause: error });
  }
}

function clientCertificate({ tlsCert, tlsKey }: NatsOptions): TlsOptions {
  return { ...pathOf('certFile', tlsCert), ...pathOf('keyFile', tlsKey) };
}

function pathOf(name: 'caFile' | 'certFile' | 'keyFile', path: string | undefined): TlsOptions {
  return path === undefined ? {} : { [name]: path };
}
