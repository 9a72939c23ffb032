import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import { isIP, type Socket } from 'node:net';
import { checkServerIdentity } from 'node:tls';
import { delay, SECOND } from '@holdfast/base';
import {
  type Authenticator,
  connect,
  credsAuthenticator,
  type NatsConnection,
  nkeyAuthenticator,
  type TlsOptions,
} from '@nats-io/transport-node';
import { utaskErrors } from '../../model/errors.ts';
import { withoutPassword } from '../configuration.ts';

export interface NatsOptions {
  /** Address as nats://host:port, or several addresses separated by commas. */
  readonly url: string;
  readonly credentials?: string | undefined;
  readonly tlsCa?: string | undefined;
  readonly tlsCert?: string | undefined;
  readonly tlsKey?: string | undefined;
  readonly nkey?: string | undefined;
  /** How long operations wait for an unreachable server. */
  readonly patienceMs?: number | undefined;
}

/** Maximum time that a command waits for an answer. */
export const PATIENCE_MS: number = 8 * SECOND;
const CONNECT_TIMEOUT_MS: number = 4 * SECOND;
const RECONNECT_WAIT_MS = 200;
const CLOSE_TIMEOUT_MS = 500;

export interface NatsLine {
  readonly connection: NatsConnection;
  close(): Promise<void>;
}

/**
 * Tracks the sockets and closes them with the connection. If a server accepts a connection and then stays silent, the
 * NATS client would leave that socket open, and an open socket keeps the command from exiting.
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
  const authenticator = authenticatorOf(options);
  const credentials = authenticator === undefined ? {} : { authenticator };
  const user = username === '' ? {} : { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  // A name without a password may be a token, so it is sent both as user name and as token. The server uses the one
  // that it is configured for.
  const token = username === '' || password !== '' ? {} : { token: decodeURIComponent(username) };
  try {
    return await connect({
      servers: servers.map(({ hostname, port }) => `${hostname}:${port === '' ? '4222' : port}`),
      name: 'utask',
      // The timeout is divided by the number of servers, because silent servers are tried one at a time.
      timeout: Math.min(CONNECT_TIMEOUT_MS, PATIENCE_MS / servers.length),
      reconnectTimeWait: RECONNECT_WAIT_MS,
      // Reconnects any number of times, because each operation has its own time limit.
      maxReconnectAttempts: -1,
      // A busy server may report an authentication timeout twice in a row, after which the client would close for good.
      ignoreAuthErrorAbort: true,
      ...(usesTls ? { tls: tlsOptions } : {}),
      ...credentials,
      ...user,
      ...token,
    });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const where = withoutPassword(options.url);
    if (/authoriz|authentic/i.test(message)) {
      const hint = 'Check the credentials: --creds, the nats context, or the user in the address.';
      throw utaskErrors.NATS_REFUSED(`${where} refuses the connection: ${message}`, { cause: error, hint });
    }
    // A server that requires a client certificate does not say so: the connection times out.
    const hint =
      'Check the address and the TLS files (UTASK_TLS_CA, UTASK_TLS_CERT, UTASK_TLS_KEY or the nats context).';
    const tlsHint = usesTls ? { hint } : {};
    throw utaskErrors.NATS_UNREACHABLE(`${where} cannot be reached: ${message}`, { cause: error, ...tlsHint });
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

function authenticatorOf({ credentials, nkey }: NatsOptions): Authenticator | undefined {
  if (credentials !== undefined) return readWith(credsAuthenticator, credentials);
  return nkey === undefined ? undefined : readWith((seed) => nkeyAuthenticator(Buffer.from(String(seed).trim())), nkey);
}

function readWith(authenticator: (content: Uint8Array) => Authenticator, path: string): Authenticator {
  try {
    return authenticator(readFileSync(path));
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
