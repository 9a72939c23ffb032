import type { Operation } from '../model/operation.ts';
import type { MergeEngine, OrganiseEngine, ScanEngine, TagEngine } from './ports.ts';

/** Everything that works on files. */
export interface Engines {
  readonly scan: ScanEngine;
  readonly organise: OrganiseEngine;
  readonly merge: MergeEngine;
  readonly tags: TagEngine;
}

/** Who asks for an operation, and who wants to see how it goes on. */
export interface Asking {
  readonly by: string;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((current: number, total: number, phase: string) => void) | undefined;
  readonly idempotencyKey?: string | undefined;
  /** Told once the operation is on record and about to begin. */
  readonly onAccepted?: ((operation: Operation) => void) | undefined;
}
