/**
 * Ringmaster as a library, for the hub and the dispatcher.
 *
 * @module
 */
export { program } from './cli/program.ts';
export { ringmasterErrors } from './model/errors.ts';
