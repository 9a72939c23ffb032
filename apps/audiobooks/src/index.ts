/**
 * An audiobook library as a library of code: the operations behind `holdfast audiobooks`, for other programs.
 *
 * @module
 */
export { audiobookErrors } from './model/errors.ts';
export { schema } from './store/definitions.ts';
