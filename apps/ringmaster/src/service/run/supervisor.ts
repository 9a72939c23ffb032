import type { ProcessIdentity, SerialQueues } from '@holdfast/base';

import type { Redactor } from '../../worker/redact.ts';
import type { StopReason } from '../../worker/supervision.ts';
import type { Ringmaster } from '../ringmaster.ts';
import type { Settling } from './settle.ts';

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

/** Requests that an attempt stops. The first reason counts, unless the lease is lost later. */
export class Stopper {
  #asked: StopReason | undefined;
  #wake = doNothing;

  get asked(): StopReason | undefined {
    return this.#asked;
  }

  ask(reason: StopReason): void {
    // A lost lease replaces any other reason, because the new owner of the task cleans up.
    if (this.#asked === undefined || reason === 'lease_lost') this.#asked = reason;
    this.#wake();
  }

  onAsk(wake: () => void): void {
    this.#wake = wake;
  }
}

function doNothing(): void {}
