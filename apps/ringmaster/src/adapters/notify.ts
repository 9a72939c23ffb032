import { delay, systemErrorCode } from '@holdfast/base';

import { HELPER_VARIABLE, RUN_VARIABLE, startProcess } from './processes.ts';

/** Result of one attempt to deliver a notification: undefined if it was delivered, otherwise the problem. */
type Problem = string | undefined;

export interface NotifyCommand {
  readonly command: readonly string[];
  readonly folder: string;
  readonly body: string;
  readonly timeoutMs: number;
}

/** Runs a command with the notification on standard input. Exit code 0 means that it was delivered. */
export async function runNotifyCommand({ command, folder, body, timeoutMs }: NotifyCommand): Promise<Problem> {
  const [program = '', ...args] = command;
  // The supervisor's guardian ends the command if the supervisor is killed.
  const runName = `${process.env[HELPER_VARIABLE] ?? 'maintenance'}.notification`;
  const env = { ...process.env, [RUN_VARIABLE]: runName, [HELPER_VARIABLE]: undefined };
  try {
    const request = { command: program, args, folder, env, stdin: body, onOutput: () => undefined };
    const running = await startProcess(request);
    const waited = new AbortController();
    const end = await Promise.race([running.exited, delay(timeoutMs, waited.signal).then(() => undefined)]);
    waited.abort();
    running.signal('SIGKILL');
    running.abandonOutput();
    if (end === undefined) return `"${program}" did not end within ${timeoutMs / 1000} s`;
    return end.exitCode === 0 ? undefined : `"${program}" exited with ${end.exitCode ?? end.signal}`;
  } catch (error) {
    return `"${program}" could not be started: ${systemErrorCode(error) ?? String(error)}`;
  }
}

/** Posts the notification. A problem never contains the address, because its path or query may be a secret. */
export async function postToWebhook(url: string, body: string, timeoutMs: number): Promise<Problem> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'ringmaster' },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    await response.body?.cancel();
    if (response.ok) return undefined;
    const isRedirect = response.status >= 300 && response.status < 400;
    return `The webhook answered with status ${response.status}${isRedirect ? '; redirects are not followed' : ''}`;
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError') {
      return `The webhook did not answer within ${timeoutMs / 1000} s`;
    }
    const code = systemErrorCode(error instanceof Error ? error.cause : error);
    return `The webhook could not be reached${code === undefined ? '' : `: ${code}`}`;
  }
}
