import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** What axe finds that is serious. Of all that it looks at, only contrast depends on the colours. */
export async function violations(
  page: Page,
  scheme: 'light' | 'dark',
  part: string = 'html',
): Promise<readonly (readonly string[])[]> {
  const axe = new AxeBuilder({ page })
    .include(part)
    .setLegacyMode(true)
    .options({ resultTypes: ['violations'] });
  const found = await (scheme === 'light' ? axe : axe.withRules(['color-contrast'])).analyze();
  return found.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html.slice(0, 200))]);
}
