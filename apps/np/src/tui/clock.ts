/** Local time, to the second: what people compare with the clock on their wall. */
export function clock(time: string): string {
  const date = new Date(time);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':');
}
