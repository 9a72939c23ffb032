import { expect, it } from 'vitest';

import { temporaryHome } from '../test/hub.ts';
import { chosenApps, loadApps } from './apps.ts';

it('a server runs the applications that are named, or all', async () => {
  expect(chosenApps([])).toEqual(['np', 'audiobooks', 'codex', 'ringmaster', 'utask']);
  const names = chosenApps(['np, notebooks', 'audiobooks']);
  expect(names).toEqual(['np', 'codex', 'audiobooks']);
  const apps = await loadApps(temporaryHome(), {}, () => undefined, undefined, chosenApps(['np']));
  expect(apps.map(({ app }) => app.name)).toEqual(['np']);
  for (const app of apps) await app.close();
});

it('an unknown application is refused', () => {
  expect(() => chosenApps(['audiobook'])).toThrow('There is no application "audiobook"');
});
