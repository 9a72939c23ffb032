/**
 * Notebooks of plain files with a durable operation queue, as a library.
 *
 * @module
 */
export { codexErrors } from './model/errors.ts';
export { listNotebooks } from './store/notebooks.ts';
