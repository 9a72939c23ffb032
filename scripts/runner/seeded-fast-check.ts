/**
 * fast-check for tests, with a fixed seed, so a commit always has the same result. Another seed: `HOLDFAST_SEED=4711
 * npm test`.
 */
import fc from '../../node_modules/fast-check/lib/fast-check.js';

const SEED = 20_261_115;

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env['HOLDFAST_SEED'] ?? SEED) });

export * from '../../node_modules/fast-check/lib/fast-check.js';
// oxlint-disable-next-line import/no-default-export -- stands in for a package that has one
export { default } from '../../node_modules/fast-check/lib/fast-check.js';
