import { randomUUID } from 'node:crypto';
import { SECOND } from '@holdfast/base';
import type { LiveStream, StreamEvent, StreamRegistry, Upgrade } from '@holdfast/http';
import { WebSocket, WebSocketServer } from 'ws';
import type { ClientIds } from '../../model/audiobookshelf/ids.ts';
import { expandedItem, libraryView, progressView } from '../../model/audiobookshelf/views.ts';
import { CLIENTS_PATH, type Clients } from '../../service/audiobookshelf/clients.ts';
import { clientBooks, wholeBook } from '../../service/audiobookshelf/library-items.ts';
import { sessionOfDevice } from '../../service/audiobookshelf/playback.ts';
import { type ClientUser, clientUser, signedInUser } from '../../service/audiobookshelf/sign-ins.ts';
import { changesFor } from '../../service/change-feed.ts';
import { listView } from '../../service/audiobookshelf/playlists.ts';
import type { Listener } from '../../service/listener.ts';
import { visibleLibraries } from '../../service/libraries.ts';
import { progressIn } from '../../service/listening/progress.ts';
import { sharedChanges } from '../streams.ts';
import { userOf } from './account-routes.ts';
import { WEB_VIEWS } from './library-routes.ts';
import { ifFound } from './router.ts';

/**
 * The Audiobookshelf socket: socket.io 4 on Engine.IO 4, over WebSocket only. The official apps and the web client need
 * only these packet types: `0` open, `2` ping, `3` pong, `40` connect, `41` disconnect, `42["event",data]` event.
 */

/** The longest time between pings. The server sends one with each heartbeat of its streams, which may be more often. */
const PING_EVERY_MS: number = 25 * SECOND;
const PONG_WITHIN_MS: number = 20 * SECOND;
/** Clients sign in as soon as they are connected. */
const SIGN_IN_WITHIN_MS: number = 20 * SECOND;
/** Maximum number of sockets that have not signed in. Beyond it, a new one replaces the oldest. */
const WAITING_MAX = 100;
/** A revoked sign-in loses its open connections within about a second, and changed permissions apply just as fast. */
const RECHECK_EVERY_MS: number = SECOND;
const PACKET_BYTES_MAX = 64 * 1_024;

export function socketUpgrade(clients: Clients): Upgrade {
  const server = new WebSocketServer({ noServer: true, maxPayload: PACKET_BYTES_MAX });
  clients.audiobooks.closing.addEventListener('abort', () => {
    for (const socket of server.clients) socket.terminate();
  });
  const waiting = new Set<WebSocket>();
  const accept = async (...[request, socket, head, streams]: Parameters<Upgrade['accept']>): Promise<void> => {
    const ids = await clients.ids();
    if (ids === undefined) return void socket.destroy();
    server.handleUpgrade(request, socket, head, (opened) => {
      const [oldest] = waiting;
      if (waiting.size >= WAITING_MAX) oldest?.terminate();
      new ClientSocket({ clients, ids, streams, waiting }, opened).start();
    });
  };
  return {
    path: `${CLIENTS_PATH}/socket.io/`,
    origins: WEB_VIEWS,
    accept: (request, socket, head, streams) =>
      void accept(request, socket, head, streams).catch(() => socket.destroy()),
  };
}

interface SocketContext {
  readonly clients: Clients;
  readonly ids: ClientIds;
  readonly streams: StreamRegistry;
  /** Sockets that have not signed in. */
  readonly waiting: Set<WebSocket>;
}

class ClientSocket implements LiveStream {
  readonly #clients: Clients;
  readonly #ids: ClientIds;
  readonly #streams: StreamRegistry;
  readonly #waiting: Set<WebSocket>;
  readonly #socket: WebSocket;
  /** The sign-in whose events are sent. A new token from the client replaces it. */
  #current: { found: ClientUser; readonly token: string; readonly end: AbortController } | undefined;
  #isSigningIn = false;
  #pongAt = Date.now();

  constructor({ clients, ids, streams, waiting }: SocketContext, socket: WebSocket) {
    this.#clients = clients;
    this.#ids = ids;
    this.#streams = streams;
    this.#waiting = waiting;
    this.#socket = socket;
  }

  start(): void {
    const socket = this.#socket;
    const late = setTimeout(() => {
      if (this.#waiting.has(socket)) socket.terminate();
    }, SIGN_IN_WITHIN_MS);
    this.#waiting.add(socket);
    socket.on('message', (data: Buffer) => this.#receive(data.toString()));
    socket.on('error', () => socket.terminate());
    socket.on('close', () => {
      clearTimeout(late);
      this.#waiting.delete(socket);
      this.#streams.remove(this);
      this.#current?.end.abort();
    });
    const limits = { pingInterval: PING_EVERY_MS, pingTimeout: PONG_WITHIN_MS, maxPayload: PACKET_BYTES_MAX };
    this.#send(`0${JSON.stringify({ sid: randomUUID(), upgrades: [], ...limits })}`);
  }

  /** Called with every heartbeat of the server's streams. */
  beat(): void {
    if (Date.now() - this.#pongAt > PING_EVERY_MS + PONG_WITHIN_MS) this.#socket.terminate();
    else this.#send('2');
  }

  close(): void {
    this.#socket.close();
  }

  #send(packet: string): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(packet);
  }

  #emit(event: string, data: unknown): void {
    this.#send(`42${JSON.stringify([event, data])}`);
  }

  #receive(packet: string): void {
    if (packet === '3') this.#pongAt = Date.now();
    else if (packet.startsWith('40')) this.#send(`40${JSON.stringify({ sid: randomUUID() })}`);
    else if (packet === '41' || packet === '1') this.#socket.close();
    else if (packet.startsWith('42')) {
      const token = tokenIn(packet.slice(2));
      if (token !== undefined) void this.#signIn(token).catch(() => this.#socket.close());
    }
  }

  async #signIn(token: string): Promise<void> {
    // A client that sends tokens faster than they are checked must not fill the memory.
    if (this.#isSigningIn) return;
    this.#isSigningIn = true;
    const found = await clientUser(this.#clients, token);
    const feed = sharedChanges(this.#clients.audiobooks);
    const since = await feed.head();
    this.#isSigningIn = false;
    if (found === undefined) return this.#emit('auth_failed', { message: 'Invalid token' });
    // If the socket closed during the check, nothing would ever end a timer or feed that starts now.
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    this.#waiting.delete(this.#socket);
    this.#streams.remove(this);
    this.#streams.add(this, found.user.id);
    this.#current?.end.abort();
    const current = { found, token, end: new AbortController() };
    this.#current = current;
    this.#emit('init', { userId: this.#ids.toClient(found.user.id), username: found.user.username });
    const timer = setInterval(() => void this.recheck(), RECHECK_EVERY_MS);
    current.end.signal.addEventListener('abort', () => clearInterval(timer));
    const isOwn = changesFor(found.listener);
    for await (const event of feed.open(since, current.end.signal)) {
      if (!isOwn(event)) continue;
      // The client must see the following events with its new permissions.
      if (event.event === 'rights') await this.recheck();
      await this.#forward(current.found, event);
    }
    // The feed ended. Closing the socket makes the client reconnect and read what it missed.
    if (!current.end.signal.aborted) this.#socket.close();
  }

  /** Closes the socket if the sign-in has ended, and applies changed permissions if it has not. */
  async recheck(): Promise<void> {
    const current = this.#current;
    if (current === undefined) return;
    const now = await this.#currentUser(current.found, current.token).catch(() => current.found);
    if (now === undefined) this.#socket.close();
    else current.found = now;
  }

  /** Returns the user with current permissions; undefined if the sign-in has ended or clients may no longer connect. */
  async #currentUser({ signIn }: ClientUser, token: string): Promise<ClientUser | undefined> {
    if ((await this.#clients.ids()) === undefined) return undefined;
    return signIn === undefined ? clientUser(this.#clients, token) : signedInUser(this.#clients, signIn);
  }

  async #forward(found: ClientUser, { event, data }: StreamEvent): Promise<void> {
    const { audiobooks } = this.#clients;
    const ids = this.#ids;
    const { listener } = found;
    const change = data as { readonly id?: string; readonly book_id?: string; readonly library_id?: string | null } & {
      readonly deleted?: boolean;
      readonly revision?: number;
      readonly forgotten?: boolean;
    };
    const bookId = (event === 'progress' ? change.book_id : change.id) ?? '';
    // Clients show a new bookmark only when they receive the whole user.
    if (event === 'rights' || event === 'bookmark' || change.forgotten === true) {
      this.#emit('user_updated', await userOf({ clients: this.#clients, ids }, found));
    } else if (event === 'progress') {
      const [book] = await clientBooks({ audiobooks, listener }, [bookId]);
      const entry = book === undefined ? undefined : await progressIn(audiobooks, listener, bookId);
      if (book === undefined || entry === undefined) return;
      const session = await sessionOfDevice(audiobooks, listener, entry.device_id);
      this.#emit('user_item_progress_updated', {
        id: ids.toClient(bookId),
        sessionId: session?.id ?? '',
        deviceDescription: String(session?.device['model'] ?? ''),
        data: progressView(ids, entry, book.duration_ms),
      });
    } else if (event === 'book' && change.deleted === true) {
      const libraryId = ids.toClient(change.library_id ?? bookId);
      this.#emit('item_removed', { id: ids.toClient(bookId), libraryId });
    } else if (event === 'book') {
      const [book] = await clientBooks({ audiobooks, listener }, [bookId]);
      if (book === undefined || book.library_id === null) return;
      const name = change.revision === 0 ? 'item_added' : 'item_updated';
      this.#emit(name, expandedItem(ids, await wholeBook(audiobooks, book)));
    } else if (event === 'playlist') {
      await this.#forwardList(listener, data as ListChange);
    } else if (event === 'library') {
      const all = await visibleLibraries(audiobooks, listener);
      const index = all.findIndex(({ id }) => id === change.id);
      const library = all[index];
      if (library !== undefined) this.#emit('library_updated', libraryView(ids, library, index));
    }
  }

  /** Clients change the lists that they show only when they receive these events. */
  async #forwardList(listener: Listener, { id, shared, revision, deleted }: ListChange): Promise<void> {
    const { audiobooks } = this.#clients;
    const ids = this.#ids;
    const kind = shared ? 'collection' : 'playlist';
    if (deleted) {
      // A client ignores events about other libraries, and the library of a deleted list is unknown. So this sends one
      // event per library.
      const removed = { id: ids.toClient(id), ...(shared ? {} : { userId: ids.toClient(listener.userId) }) };
      for (const library of await visibleLibraries(audiobooks, listener))
        this.#emit(`${kind}_removed`, { ...removed, libraryId: ids.toClient(library.id) });
      return;
    }
    // Clients create a list together with its books. Until it has books, its library is unknown.
    const view = revision === 0 ? undefined : await ifFound(listView({ audiobooks, ids, listener }, id));
    if (view !== undefined) this.#emit(`${kind}_${revision === 1 ? 'added' : 'updated'}`, view);
  }
}

interface ListChange {
  readonly id: string;
  readonly shared: boolean;
  readonly revision: number;
  readonly deleted: boolean;
}

/** Returns the token in an `auth` event. */
function tokenIn(text: string): string | undefined {
  try {
    const [event, token] = JSON.parse(text.slice(text.indexOf('['))) as unknown[];
    return event === 'auth' && typeof token === 'string' ? token : undefined;
  } catch {
    return undefined;
  }
}
