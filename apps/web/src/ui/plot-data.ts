export const SPAN_MIN_SECONDS = 60;

type Columns = [number[], (number | null)[]];

/** uPlot would place a single value at midnight; this makes it the end of a minute. */
export function plotData(times: readonly number[], values: readonly number[]): Columns {
  const [first] = times;
  if (times.length !== 1 || first === undefined) return [[...times], [...values]];
  return [
    [first - SPAN_MIN_SECONDS, first],
    [null, ...values],
  ];
}
