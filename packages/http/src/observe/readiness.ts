import { SECOND } from '@holdfast/base';

import { beforeDeadline } from '../request/deadline.ts';

/** A dependency of the server. */
export interface ReadinessCheck {
  readonly name: string;
  /** Throws if the dependency is not available. Returns warnings if it is available but has a problem. */
  check(): Promise<readonly string[]>;
}

export interface CheckResult {
  readonly name: string;
  readonly ok: boolean;
  readonly warnings: readonly string[];
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
        const late = (): Error => new Error(`No answer within ${timeoutMs} ms`);
        return { name: needed.name, ok: true, warnings: await beforeDeadline(needed.check(), timeoutMs, late) };
      } catch (error) {
        onFailure(needed.name, error);
        return { name: needed.name, ok: false, warnings: [] };
      }
    }),
  );
}
