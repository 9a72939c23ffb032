/** From 0 up to 1. Ids are checked for collision, so this need not be a secret. */
export const systemRandom: () => number = Math.random;
