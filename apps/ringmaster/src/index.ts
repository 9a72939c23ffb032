/**
 * Ringmaster as a library, for the hub and the dispatcher.
 *
 * @module
 */
export { program } from './program.ts';
export { ringmasterErrors } from './model/errors.ts';
