export const SPAN_MIN_SECONDS = 60;

type Columns = [number[], (number | null)[]];

/** Shows a single value at the end of a one-minute range, because uPlot on its own would place it at midnight. */
export function plotData(times: readonly number[], values: readonly number[]): Columns {
  const [first] = times;
  if (times.length !== 1 || first === undefined) return [[...times], [...values]];
  return [
    [first - SPAN_MIN_SECONDS, first],
    [null, ...values],
  ];
}
