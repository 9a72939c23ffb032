/** For `Idempotency-Key`: the server runs a repeated request once. (`randomUUID` is missing without TLS.) */
export function randomKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
