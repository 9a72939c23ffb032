import { LogThrottle, SECOND } from '@holdfast/base';
import type { Caller } from '@holdfast/operation';

import type { Everything } from '../operations/overview.ts';
import { showInbox } from './inbox.ts';

export interface Webhook {
  /** Keys of the items that the webhook has received. */
  received(): ReadonlySet<string>;
  remember(keys: ReadonlySet<string>): Promise<void>;
  /** Returns the problem if the webhook did not accept the body. */
  send(body: object): Promise<string | undefined>;
}

const EVERY_MS = 15 * SECOND;
/** Sees the whole inbox, like the command line. */
const everybody: Caller = { name: 'holdfast', via: 'inbox webhook', face: 'cli' };

/**
 * Sends each inbox item to a webhook once. After a failure or a crash, the same items are sent again, so a webhook may
 * receive an item twice, but never misses one.
 */
export class InboxNotifier {
  readonly #everything: Everything;
  readonly #webhook: Webhook;
  readonly #onProblem: (message: string) => void;
  readonly #throttle = new LogThrottle();
  readonly #timer: NodeJS.Timeout;
  #running: Promise<void> | undefined;

  constructor(everything: Everything, webhook: Webhook, onProblem: (message: string) => void) {
    this.#everything = everything;
    this.#webhook = webhook;
    this.#onProblem = onProblem;
    this.#timer = setInterval(() => void this.notify(), EVERY_MS).unref();
  }

  /** Sends the items that are new. */
  notify(): Promise<void> {
    this.#running ??= this.#send()
      .catch((error: unknown) => this.#report(error instanceof Error ? error.message : String(error)))
      .finally(() => (this.#running = undefined));
    return this.#running;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  async #send(): Promise<void> {
    const { data, unavailable } = await showInbox(this.#everything, { snoozed: false }, everybody);
    const known = this.#webhook.received();
    const fresh = data.filter(({ key }) => !known.has(key));
    if (fresh.length > 0) {
      const items = fresh.map(({ key, app, kind, title, detail, since, path }) => ({
        key,
        app,
        kind,
        title,
        detail,
        since,
        path,
      }));
      const problem = await this.#webhook.send({ items });
      if (problem !== undefined) return this.#report(problem);
    }
    // If an application did not answer, keeps the keys of its items, because it may still have these items. An item
    // that was settled and has come back is sent again.
    const kept = [...known].filter((key) => unavailable.some((app) => key.startsWith(`${app}/`)));
    const next = new Set([...data.map(({ key }) => key), ...kept]);
    if (next.size !== known.size || fresh.length > 0) await this.#webhook.remember(next);
  }

  #report(message: string): void {
    if (this.#throttle.allows(message)) this.#onProblem(message);
  }
}
