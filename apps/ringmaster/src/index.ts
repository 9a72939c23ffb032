/**
 * Ringmaster as a library: its command-line program and its errors.
 *
 * @module
 */
export { program } from './cli/program.ts';
export { ringmasterErrors } from './model/errors.ts';
