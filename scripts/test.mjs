/** `npm test`: everything from a fresh clone to the last test. Needs only Node and npm. */
import { main } from './runner/main.mjs';
import { steps } from './runner/steps.mjs';

const usage = `
npm test                             everything
npm test -- --only unit,e2e          only these steps, and what they need
npm test -- keyspace/src/range       only test files whose path contains this; no static checks
npm test -- -t "survives a kill"     only tests whose name matches; no static checks
npm test -- --list                   the steps`;

await main(steps, usage);
