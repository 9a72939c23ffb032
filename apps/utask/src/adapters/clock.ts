/** UTC with milliseconds. */
export function timestamp(): string {
  return new Date().toISOString();
}

export function nowMs(): number {
  return Date.now();
}
