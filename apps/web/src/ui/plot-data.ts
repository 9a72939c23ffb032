/** The least that an axis of time shows. */
export const SPAN_MIN_SECONDS = 60;

type Columns = [number[], (number | null)[]];

/** What is drawn. A single moment would be shown at the beginning of a day that has not been yet; it is the end of a minute. */
export function plotData(times: readonly number[], values: readonly number[]): Columns {
  const [first] = times;
  if (times.length !== 1 || first === undefined) return [[...times], [...values]];
  return [
    [first - SPAN_MIN_SECONDS, first],
    [null, ...values],
  ];
}
