/** `npm run check`: the static checks alone, as `npm test` runs them. */
import { main } from './runner/main.mjs';
import { steps } from './runner/steps.mjs';

const usage = `
npm run check                        all static checks
npm run check -- --only types,lint   only these
npm run check -- --list              the checks`;

await main(
  steps.filter((step) => step.kind === 'check' || step.name === 'install'),
  usage,
);
