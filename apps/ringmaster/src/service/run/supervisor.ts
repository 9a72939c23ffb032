import type { ProcessIdentity, SerialQueues } from '@holdfast/base';

import type { Redactor } from '../../worker/redact.ts';
import type { StopReason } from '../../worker/supervision.ts';
import type { PromptSource } from '../prompt/prompt-source.ts';
import type { Ringmaster } from '../ringmaster.ts';
import type { Settling } from './settle.ts';

/** What people and programs are told while workers run. */
export interface RunEvent {
  readonly kind: 'started' | 'resumed' | 'turn' | 'output' | 'checking' | 'ended' | 'lost' | 'problem' | 'note';
  readonly slot?: number;
  readonly task?: string;
  readonly worker?: string;
  readonly attempt?: number;
  readonly iteration?: number;
  readonly text: string;
}

/** The process that runs workers, as far as an attempt needs to know it. */
export interface Supervisor {
  readonly rm: Ringmaster;
  /** Begins the name that all its processes carry. */
  readonly id: string;
  readonly identity: ProcessIdentity;
  readonly monotonic: () => number;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly prompts: PromptSource;
  readonly newRedactor: () => Redactor;
  readonly tell: (event: RunEvent) => void;
  /** One at a time in a folder that is not a repository. */
  readonly folders: SerialQueues;
  /** Repositories that were seen, by the folder of the settings. */
  readonly repositories: Map<string, string>;
  readonly settling: Settling;
}

/** Asks an attempt to stop. The first reason counts. */
export class Stopper {
  #asked: StopReason | undefined;
  #wake = doNothing;

  get asked(): StopReason | undefined {
    return this.#asked;
  }

  ask(reason: StopReason): void {
    // Who has lost the task has nothing left to put in order, so this overrides any politer reason.
    if (this.#asked === undefined || reason === 'lease_lost') this.#asked = reason;
    this.#wake();
  }

  onAsk(wake: () => void): void {
    this.#wake = wake;
  }
}

function doNothing(): void {}
