import { npErrors } from './errors.ts';
import { type Status, statusNeedsReason } from './status.ts';

export interface TaskUpdate {
  readonly id: string;
  readonly status?: Status | undefined;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly reason?: string | undefined;
  /** Rejects the update unless the task still has this version. */
  readonly if_version?: number | undefined;
}

/** Only rewording, failing and cancelling require a reason. */
export function updateNeedsReason({ status, title, description }: TaskUpdate): boolean {
  return title !== undefined || description !== undefined || (status !== undefined && statusNeedsReason(status));
}

export function requireReason(reason: string | undefined, what: string): string {
  if (reason !== undefined) return reason;
  throw npErrors.REASON_REQUIRED(`${what} requires a reason (-r/--reason).`);
}
