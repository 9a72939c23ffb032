/** From 0 up to 1. Ids are checked for collisions, so this need not be cryptographic. */
export const systemRandom: () => number = Math.random;
