import type { ProcessIdentity, SerialQueues } from '@holdfast/base';

import type { Redactor } from '../../worker/redact.ts';
import type { StopReason } from '../../worker/supervision.ts';
import type { Ringmaster } from '../ringmaster.ts';
import type { Settling } from './settle.ts';
import type { TaskSource } from './task-source.ts';

export interface RunEvent {
  readonly kind: 'started' | 'resumed' | 'turn' | 'output' | 'checking' | 'ended' | 'lost' | 'problem' | 'note';
  readonly slot?: number;
  readonly task?: string;
  readonly worker?: string;
  readonly attempt?: number;
  readonly iteration?: number;
  readonly text: string;
}

/** The parts of the supervisor that an attempt needs. */
export interface Supervisor {
  readonly rm: Ringmaster;
  readonly source: TaskSource;
  /** Prefix of the run names of all processes that this supervisor starts. */
  readonly id: string;
  readonly identity: ProcessIdentity;
  readonly monotonic: () => number;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly newRedactor: () => Redactor;
  readonly tell: (event: RunEvent) => void;
  /** Locks for folders that are not repositories. */
  readonly folders: SerialQueues;
  readonly repositories: Map<string, string>;
  readonly settling: Settling;
}

/**
 * Asks an attempt to stop. The first reason counts, with two exceptions: any reason replaces a pause for an attached
 * person, and a lost lease replaces any reason.
 */
export class Stopper {
  #asked: StopReason | undefined;
  #wake = doNothing;

  get asked(): StopReason | undefined {
    return this.#asked;
  }

  ask(reason: StopReason): void {
    // A lost lease replaces any other reason, because the task's new owner then cleans up.
    if (this.#asked === undefined || this.#asked === 'attached' || reason === 'lease_lost') this.#asked = reason;
    this.#wake();
  }

  /** Withdraws a request that applied only to the agent, not to the steps after it. */
  withdraw(reason: StopReason): void {
    if (this.#asked === reason) this.#asked = undefined;
  }

  onAsk(wake: () => void): void {
    this.#wake = wake;
  }
}

function doNothing(): void {}
