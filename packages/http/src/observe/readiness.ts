import { SECOND } from '@holdfast/base';

import { beforeDeadline } from '../request/deadline.ts';

/** A dependency of the server. `check` throws when it is not available. */
export interface ReadinessCheck {
  readonly name: string;
  check(): Promise<unknown>;
}

export interface CheckResult {
  readonly name: string;
  readonly ok: boolean;
}

const CHECK_TIMEOUT_MS = 2 * SECOND;

/** Runs all checks in parallel. Errors go to `onFailure`, not to the client. */
export async function runChecks(
  checks: readonly ReadinessCheck[],
  onFailure: (name: string, error: unknown) => void,
  timeoutMs: number = CHECK_TIMEOUT_MS,
): Promise<readonly CheckResult[]> {
  return Promise.all(
    checks.map(async (needed) => {
      try {
        await beforeDeadline(needed.check(), timeoutMs, () => new Error(`No answer within ${timeoutMs} ms`));
        return { name: needed.name, ok: true };
      } catch (error) {
        onFailure(needed.name, error);
        return { name: needed.name, ok: false };
      }
    }),
  );
}
