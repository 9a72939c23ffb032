/** Creates an `Idempotency-Key`: the server runs a repeated request once. Without TLS, `randomUUID` is missing. */
export function randomKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
