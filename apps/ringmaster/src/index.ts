/**
 * Ringmaster as a library, for the hub and the `holdfast` command.
 *
 * @module
 */
export { program } from './cli/program.ts';
export { ringmasterErrors } from './model/errors.ts';
