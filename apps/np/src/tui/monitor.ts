import { SerialQueue } from '@holdfast/base';
import { openTerminal, type TerminalSession } from '../adapters/terminal.ts';
import { listSessions } from '../service/sessions.ts';
import type { Where } from '../service/np.ts';
import { frame, pickerRows } from './frame.ts';
import { type Effect, INITIAL_STATE, keysIn, type MonitorState, press, withPlan } from './state.ts';
import { type FeedOptions, PlanFeed } from './plan-feed.ts';
import { Screen } from './screen.ts';

export interface MonitorOptions {
  readonly database: Pick<FeedOptions, 'open' | 'identity'>;
  readonly where: Where;
  /** Directory that the key `d` returns to. */
  readonly directory: string;
  readonly useColour: boolean;
  readonly signal: AbortSignal;
}

/** Runs until the user quits or `signal` aborts. */
export async function runMonitor(options: MonitorOptions): Promise<void> {
  const terminal = openTerminal();
  const monitor = new Monitor(options, terminal);
  try {
    await monitor.run();
  } finally {
    monitor.screen.leave();
    terminal.close();
  }
}

class Monitor {
  readonly screen: Screen;
  readonly #options: MonitorOptions;
  readonly #terminal: TerminalSession;
  readonly #feed: PlanFeed;
  #state: MonitorState = INITIAL_STATE;
  readonly #keys = new SerialQueue();

  constructor(options: MonitorOptions, terminal: TerminalSession) {
    this.#options = options;
    this.#terminal = terminal;
    this.screen = new Screen(terminal, options.useColour);
    const onPlan: FeedOptions['onPlan'] = (plan, events) => this.#show(withPlan(this.#state, plan, events));
    const onNotice: FeedOptions['onNotice'] = (notice) => this.#show({ notice });
    this.#feed = new PlanFeed({ ...options.database, onPlan, onNotice }, options.where);
  }

  async run(): Promise<void> {
    const { signal } = this.#options;
    signal.addEventListener('abort', () => this.#feed.stop());
    this.#terminal.onExit(() => this.screen.leave());
    this.#terminal.onResize(() => {
      this.screen.invalidate();
      this.#draw();
    });
    this.#terminal.onInput((text) => {
      for (const key of keysIn(text)) this.#enqueue(key);
    });
    this.screen.enter();
    this.#draw();
    await this.#feed.run();
  }

  /** Handles keys in order, so that a key typed while a page loads applies to that page. */
  #enqueue(key: string): void {
    this.#keys
      .run(() => this.#press(key))
      .catch((error: unknown) => this.#show({ notice: error instanceof Error ? error.message : String(error) }));
  }

  async #press(key: string): Promise<void> {
    const { state, effect } = press(this.#state, key);
    this.#show(state);
    if (effect !== undefined) await this.#perform(effect);
  }

  async #perform(effect: Effect): Promise<void> {
    switch (effect.type) {
      case 'quit':
        this.#feed.stop();
        break;
      case 'redraw':
        this.screen.invalidate();
        this.#draw();
        break;
      case 'suspend':
        this.screen.leave();
        await this.#terminal.suspend();
        this.screen.enter();
        this.#draw();
        break;
      case 'refresh':
        this.#feed.follow(this.#currentWhere());
        break;
      case 'directory':
        this.#feed.follow({ directory: this.#options.directory });
        break;
      case 'open':
        this.#feed.follow({ sid: effect.sid });
        break;
      case 'page':
      default:
        await this.#fetchPage(effect.pages);
    }
  }

  /** Fetches each page only once, as np's design document says, so that the list does not change under the cursor. */
  async #fetchPage(pages: readonly (string | undefined)[]): Promise<void> {
    const { np } = this.#feed;
    if (np === undefined) return;
    const limit = pickerRows(this.#terminal.rows);
    const page = await listSessions(np, { state: 'all', limit, cursor: pages.at(-1) });
    this.#show({ picker: { items: page.items, index: 0, pages, next: page.cursor } });
  }

  #currentWhere(): Where {
    const { plan } = this.#state;
    return plan === undefined ? this.#options.where : { sid: plan.session.sid };
  }

  #show(changes: Partial<MonitorState>): void {
    this.#state = { ...this.#state, ...changes };
    this.#draw();
  }

  #draw(): void {
    const { columns, rows } = this.#terminal;
    this.screen.draw(frame(this.#state, columns, rows));
  }
}
