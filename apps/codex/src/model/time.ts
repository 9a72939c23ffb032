/** UTC with milliseconds, as every table and answer writes it. */
export function timeText(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
