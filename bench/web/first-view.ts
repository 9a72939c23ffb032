import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { KIBIBYTE, SECOND } from '@holdfast/base';

import { becomeOwner, openBrowser } from '../../apps/web/test/bare-browser.ts';
import { startServer } from '../../apps/web/test/server.ts';
import { type Context, type Figure, median } from '../lib/harness.ts';
import { fileId } from './keystroke.ts';

const SLOWER = 4;
const TEXT = 'The first paragraph of the note.';

/**
 * Workload: a signed-in user opens the address of a note in a browser with an empty cache and a CPU slowed down by a
 * factor of four. Timed: from the navigation until the text of the note is visible.
 */
export async function benchmark({ quick, progress }: Context): Promise<readonly Figure[]> {
  const server = await startServer();
  const browser = await openBrowser();
  try {
    const first = await browser.newContext();
    const page = await first.newPage();
    await becomeOwner(page, server.setupUrl);
    const folder = join(server.project, 'notes');
    mkdirSync(folder);
    writeFileSync(join(folder, 'note.md'), `# A note\n\n${TEXT}\n\n- [ ] a task\n\n\`\`\`ts\nconst x = 1;\n\`\`\`\n`);
    server.run('holdfast', 'notebooks', 'add', 'notes', folder);
    const address = `${server.url}/notebooks/1/files/${await fileId(page, server, 'note.md')}`;
    const storageState = await first.storageState();
    const times: number[] = [];
    let scripts = 0;
    for (let round = 0; round < (quick ? 1 : 7); round++) {
      const context = await browser.newContext({ storageState, viewport: { width: 1_280, height: 900 } });
      const view = await context.newPage();
      const devtools = await context.newCDPSession(view);
      await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
      await view.goto(address, { waitUntil: 'commit' });
      await view.getByText(TEXT).first().waitFor();
      times.push((await view.evaluate<number>('performance.now()')) / SECOND);
      scripts = await view.evaluate<number>(SCRIPT_BYTES);
      progress(`  ${times.at(-1)?.toFixed(2)} s, ${Math.round(scripts / KIBIBYTE)} KiB of scripts`);
      await context.close();
    }
    const baseline = `${Math.round(scripts / KIBIBYTE)} KiB of compressed scripts, processor ${SLOWER} times slower`;
    return [{ name: 'web.first_view', value: median(times), unit: 's', baseline, goal: 3.5, better: 'lower' }];
  } finally {
    await browser.close();
    await server.close();
  }
}

/** Counts the scripts that were loaded until now. */
const SCRIPT_BYTES = `performance.getEntriesByType('resource')
  .filter(({ name }) => name.endsWith('.js'))
  .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`;
