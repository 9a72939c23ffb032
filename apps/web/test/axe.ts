import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** Returns serious violations. In dark mode, checks only contrast, because nothing else depends on colours. */
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

/** Returns violations of the rules for landmarks and for the main heading. */
export async function landmarkViolations(page: Page): Promise<readonly (readonly string[])[]> {
  const rules = ['region', 'landmark-unique', 'landmark-one-main', 'page-has-heading-one'];
  const { violations: found } = await new AxeBuilder({ page }).setLegacyMode(true).withRules(rules).analyze();
  return found.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html.slice(0, 200))]);
}
