import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe } from 'vitest';
import { openNats } from '../src/adapters/nats/open.ts';
import type { Buckets } from '../src/store/bucket.ts';
import { openEmbedded } from '../src/store/embedded.ts';
import { NatsServer } from './nats.ts';

export interface Backend {
  readonly name: 'embedded' | 'nats';
  /** Opens a profile; a new, empty one by default. */
  open(profile?: string): Promise<Buckets>;
  /** Arguments for another process that opens the same backend. */
  place(): { readonly databasePath: string; readonly url: string | undefined };
}

let profiles = 0;

export function freshProfile(): string {
  profiles += 1;
  return `p${profiles}`;
}

/** Runs the same tests on both backends. */
export function onBothBackends(title: string, tests: (backend: Backend) => void): void {
  describe(`${title} (embedded)`, () => {
    let folder = '';
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), 'utask-'));
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));
    const path = (): string => join(folder, 'utask.db');
    tests({
      name: 'embedded',
      open: (profile = freshProfile()) => openEmbedded({ path: path(), profile, now: Date.now }),
      place: () => ({ databasePath: path(), url: undefined }),
    });
  });
  describe(`${title} (NATS)`, () => {
    let server: NatsServer | undefined;
    beforeAll(async () => {
      server = await NatsServer.start();
    });
    afterAll(() => server?.stop());
    tests({
      name: 'nats',
      open: (profile = freshProfile()) => openNats({ url: server!.url, profile }),
      place: () => ({ databasePath: '', url: server!.url }),
    });
  });
}
