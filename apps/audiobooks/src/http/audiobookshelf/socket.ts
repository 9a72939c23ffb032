import { randomUUID } from 'node:crypto';
import { SECOND } from '@holdfast/base';
import type { StreamEvent, Upgrade } from '@holdfast/http';
import { WebSocket, WebSocketServer } from 'ws';
import type { ClientIds } from '../../model/audiobookshelf/ids.ts';
import { expandedItem, libraryView, progressView } from '../../model/audiobookshelf/views.ts';
import { CLIENTS_PATH, type Clients } from '../../service/audiobookshelf/clients.ts';
import { clientBooks, wholeBook } from '../../service/audiobookshelf/library-items.ts';
import { sessionOfDevice } from '../../service/audiobookshelf/playback.ts';
import { type ClientUser, clientUser, isSignedIn } from '../../service/audiobookshelf/sign-ins.ts';
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
 * The socket of Audiobookshelf: socket.io 4 on Engine.IO 4, over WebSocket only. The official apps and the web client
 * need only these packet types: `0` open, `2` ping, `3` pong, `40` connect, `41` disconnect, `42["event",data]` event.
 */

const PING_EVERY_MS: number = 25 * SECOND;
const PONG_WITHIN_MS: number = 20 * SECOND;
/** A revoked sign-in must lose its open connections within about a second. */
const RECHECK_EVERY_MS: number = SECOND;
const PACKET_BYTES_MAX = 64 * 1_024;

export function socketUpgrade(clients: Clients): Upgrade {
  const server = new WebSocketServer({ noServer: true, maxPayload: PACKET_BYTES_MAX });
  clients.audiobooks.closing.addEventListener('abort', () => {
    for (const socket of server.clients) socket.terminate();
  });
  const accept = async (...[request, socket, head]: Parameters<Upgrade['accept']>): Promise<void> => {
    const ids = await clients.ids();
    if (ids === undefined) socket.destroy();
    else server.handleUpgrade(request, socket, head, (opened) => new ClientSocket(clients, ids, opened).start());
  };
  return {
    path: `${CLIENTS_PATH}/socket.io/`,
    origins: WEB_VIEWS,
    accept: (request, socket, head) => void accept(request, socket, head).catch(() => socket.destroy()),
  };
}

class ClientSocket {
  readonly #clients: Clients;
  readonly #ids: ClientIds;
  readonly #socket: WebSocket;
  readonly #closed = new AbortController();
  /** Ends the event stream of the previous sign-in when the client sends a new token. */
  #following: AbortController | undefined;
  #pongAt = Date.now();

  constructor(clients: Clients, ids: ClientIds, socket: WebSocket) {
    this.#clients = clients;
    this.#ids = ids;
    this.#socket = socket;
  }

  start(): void {
    const socket = this.#socket;
    const timer = setInterval(() => this.#ping(), PING_EVERY_MS);
    socket.on('message', (data: Buffer) => this.#receive(data.toString()));
    socket.on('error', () => socket.terminate());
    socket.on('close', () => {
      clearInterval(timer);
      this.#closed.abort();
      this.#following?.abort();
    });
    const limits = { pingInterval: PING_EVERY_MS, pingTimeout: PONG_WITHIN_MS, maxPayload: PACKET_BYTES_MAX };
    this.#send(`0${JSON.stringify({ sid: randomUUID(), upgrades: [], ...limits })}`);
  }

  #ping(): void {
    if (Date.now() - this.#pongAt > PING_EVERY_MS + PONG_WITHIN_MS) this.#socket.terminate();
    else this.#send('2');
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
    const found = await clientUser(this.#clients, token);
    if (found === undefined) return this.#emit('auth_failed', { message: 'Invalid token' });
    this.#following?.abort();
    const following = new AbortController();
    this.#following = following;
    const feed = sharedChanges(this.#clients.audiobooks);
    const since = await feed.head();
    this.#emit('init', { userId: this.#ids.toClient(found.user.id), username: found.user.username });
    const recheck = setInterval(() => void this.#recheck(found, token), RECHECK_EVERY_MS);
    following.signal.addEventListener('abort', () => clearInterval(recheck));
    const isOwn = changesFor(found.listener);
    for await (const event of feed.open(since, following.signal)) {
      if (isOwn(event)) await this.#forward(found, event);
    }
    // The feed ended. Closing the socket makes the client reconnect and read what it missed.
    if (!following.signal.aborted) this.#socket.close();
  }

  async #recheck({ signIn }: ClientUser, token: string): Promise<void> {
    const check = async (): Promise<boolean> =>
      signIn === undefined ? (await clientUser(this.#clients, token)) !== undefined : isSignedIn(this.#clients, signIn);
    if (!(await check().catch(() => true))) this.#socket.close();
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
      // A client ignores lists of other libraries, and a deleted list no longer tells its library.
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
