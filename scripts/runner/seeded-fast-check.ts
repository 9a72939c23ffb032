/**
 * fast-check with a fixed seed for tests, so that a commit always gives the same result. To use another seed:
 * `HOLDFAST_SEED=4711 npm test`.
 */
import fc from '../../node_modules/fast-check/lib/fast-check.js';

const SEED = 20_261_115;

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env['HOLDFAST_SEED'] ?? SEED) });

export * from '../../node_modules/fast-check/lib/fast-check.js';
// oxlint-disable-next-line import/no-default-export -- stands in for a package that has one
export { default } from '../../node_modules/fast-check/lib/fast-check.js';
