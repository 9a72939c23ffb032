import { ProblemError } from '@holdfast/http/client';

export interface Reason {
  readonly title: string;
  readonly hint: string;
  readonly code: string;
  readonly requestId?: string | undefined;
}

export function reasonOf(error: unknown): Reason {
  if (!(error instanceof ProblemError)) {
    const title = error instanceof Error ? error.message : String(error);
    return { title, hint: 'This is a bug in the dashboard. Reload the page.', code: 'DASHBOARD' };
  }
  const fields = (error.problem.errors ?? []).map(({ path, message }) => `${path.slice(1) || 'value'}: ${message}`);
  const title = fields.length === 0 ? error.message : `${error.message} (${fields.join('; ')})`;
  return { title, hint: error.hint, code: error.code, requestId: error.requestId };
}

/** Returns the text of an error for the field that caused it, if the error has one of these codes. */
export function messageOf(error: unknown, ...codes: readonly string[]): string | undefined {
  if (!(error instanceof ProblemError) || !codes.includes(error.code)) return undefined;
  return `${error.message.replace(/[^.!?]$/u, '$&.')} ${error.hint}`;
}

export function statusOf(error: unknown): number | undefined {
  return error instanceof ProblemError ? error.status : undefined;
}
