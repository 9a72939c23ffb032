import type { Problem } from '../problems/problem.ts';

/** What the server answered instead of what was asked for, or that it did not answer (`UNREACHABLE`, status 0). */
export class ProblemError extends Error {
  readonly status: number;
  readonly code: string;
  readonly hint: string;
  readonly requestId: string | undefined;
  readonly problem: Partial<Problem>;

  constructor(status: number, problem: Partial<Problem>, cause?: unknown) {
    super(problem.detail ?? `The server answered ${status}`, { cause });
    this.name = 'ProblemError';
    this.status = status;
    this.code = problem.code ?? 'INTERNAL';
    this.hint = problem.hint ?? '';
    this.requestId = problem.request_id;
    this.problem = problem;
  }
}
