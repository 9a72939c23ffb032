// oxlint-disable-next-line import/no-unassigned-import -- a style sheet exports nothing
import 'uplot/dist/uPlot.min.css';

import { type ReactNode, useEffect, useRef } from 'react';
import UPlot from 'uplot';

import { useIsDark } from '../lib/theme.ts';
import { plotData, SPAN_MIN_SECONDS } from './plot-data.ts';

export interface PlotProps {
  readonly title: string;
  /** Unix time in seconds. */
  readonly times: readonly number[];
  readonly values: readonly number[];
  readonly format: (value: number) => string;
  /** Formats a time on the axis; defaults to the time of day. `step` is the distance between labels in seconds. */
  readonly formatTime?: (seconds: number, step: number) => string;
}

const HEIGHT = 144;
const X_AXIS = 26;
const Y_AXIS = 60;

export function PlotCanvas({ times, values, format, formatTime = clockTime }: PlotProps): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot>(null);
  const latest = useRef({ times, values, format, formatTime });
  latest.current = { times, values, format, formatTime };
  const isDark = useIsDark();
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const data = plotData(latest.current.times, latest.current.values);
    const made = new UPlot(
      optionsFor(
        element,
        (value) => latest.current.format(value),
        (seconds, step) => latest.current.formatTime(seconds, step),
      ),
      data,
      element,
    );
    plot.current = made;
    const observer = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
    };
  }, [isDark]);
  useEffect(() => plot.current?.setData(plotData(times, values)), [times, values]);
  return <div ref={place} />;
}

/** Reads the colours for the current theme, because a canvas does not inherit CSS colours. */
function optionsFor(
  element: HTMLElement,
  format: (value: number) => string,
  formatTime: (seconds: number, step: number) => string,
): UPlot.Options {
  const colours = getComputedStyle(element);
  const probe = (name: string): string => resolved(element, colours.getPropertyValue(name));
  const axis = {
    stroke: probe('--muted'),
    font: '11px "Inter Variable", sans-serif',
    grid: { stroke: probe('--line'), width: 1 },
    ticks: { show: false },
  };
  return {
    width: element.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { show: false },
    scales: {
      // Without data, there is no range to widen.
      x: {
        range: (_plot, least: number | null, most: number | null) =>
          least === null || most === null ? [null, null] : [Math.min(least, most - SPAN_MIN_SECONDS), most],
      },
      y: { range: (_plot, _least, most) => [0, most <= 0 ? 1 : most * 1.2] },
    },
    series: [{}, { stroke: probe('--accent'), width: 2, fill: probe('--accent-soft'), points: { show: false } }],
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: X_AXIS,
        values: (_plot, at, _axis, _space, step) => at.map((each) => formatTime(each, step)),
        space: 70,
      },
      { ...axis, size: Y_AXIS, values: (_plot, at) => at.map(format), space: 36 },
    ],
  };
}

function clockTime(seconds: number, step: number): string {
  const whole = new Date(seconds * 1_000).toLocaleTimeString();
  return step % SPAN_MIN_SECONDS === 0 ? whole.slice(0, 5) : whole;
}

/** Resolves `light-dark(a, b)` for the current theme. */
function resolved(element: HTMLElement, colour: string): string {
  const probe = document.createElement('span');
  probe.style.color = colour;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
