import { httpErrors } from '../errors.ts';

/** A key that would change the prototype of an object it is assigned to; escapes in JSON can spell it, too. */
const SUSPECT = /__proto__|\\u005f|constructor/i;

/** JSON without keys that reach prototypes: schemas with free-form parts would pass them on. */
export function parseJson(text: string): unknown {
  try {
    return SUSPECT.test(text) ? JSON.parse(text, refusePrototypeKeys) : JSON.parse(text);
  } catch (cause) {
    throw httpErrors.BODY_NOT_JSON('The body is not valid JSON', { cause });
  }
}

function refusePrototypeKeys(key: string, value: unknown): unknown {
  if (key === '__proto__') throw new SyntaxError('__proto__ is not a key');
  if (key === 'constructor' && typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype')) {
    throw new SyntaxError('constructor.prototype is not a key');
  }
  return value;
}
