import type { ReactNode } from 'react';

interface ProgressBarProps {
  readonly label: string;
  /** 0 to 100; undefined if unknown. */
  readonly percent: number | undefined;
}

export function ProgressBar({ label, percent }: ProgressBarProps): ReactNode {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent === undefined ? undefined : Math.round(percent)}
      className="h-1.5 w-full overflow-hidden rounded-full bg-line"
    >
      <div
        className={`h-full rounded-full bg-accent ${percent === undefined ? 'w-1/3 animate-pulse' : ''}`}
        style={percent === undefined ? {} : { width: `${Math.min(100, Math.max(0, percent))}%` }}
      />
    </div>
  );
}
