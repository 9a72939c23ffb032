import { readJson, SECOND, systemErrorCode, writeFileDurably } from '@holdfast/base';
import { httpErrors } from '@holdfast/http';

import type { Webhook } from '../service/notify-inbox.ts';

const TIMEOUT_MS = 10 * SECOND;

/** The webhook at `url`. The file at `path` records which items the webhook has received. */
export function inboxWebhook(url: string, path: string): Webhook {
  if (!isWebhook(url)) {
    // Does not repeat the address, which may contain a secret.
    const message = 'inbox_webhook must be an http or https address without a user name and password';
    throw httpErrors.SERVER_CONFIG_INVALID(message);
  }
  return {
    received() {
      const keys = readJson(path);
      return new Set(Array.isArray(keys) ? keys.map(String) : []);
    },
    remember: (keys) => writeFileDurably(path, `${JSON.stringify([...keys])}\n`),
    send: (body) => post(url, body),
  };
}

function isWebhook(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, username, password } = new URL(address);
  return ['http:', 'https:'].includes(protocol) && username === '' && password === '';
}

/** Returns undefined if the webhook accepted the body, otherwise the problem, which never contains the address. */
async function post(url: string, body: object): Promise<string | undefined> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'holdfast' },
      body: JSON.stringify(body),
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    return response.ok ? undefined : `The inbox webhook answered with status ${response.status}`;
  } catch (error) {
    const code = systemErrorCode(error instanceof Error ? error.cause : error);
    return `The inbox webhook did not answer${code === undefined ? '' : `: ${code}`}`;
  }
}
