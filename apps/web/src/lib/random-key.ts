/** Creates an `Idempotency-Key`. Does not use `crypto.randomUUID`, which exists only in secure contexts. */
export function randomKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
