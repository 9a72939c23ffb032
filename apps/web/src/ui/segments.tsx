import type { ReactNode } from 'react';

import { count } from '../lib/format.ts';

interface SegmentsProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string; readonly count?: number | undefined }[];
  readonly onChange: (value: Value) => void;
}

export function Segments<Value extends string>({ label, value, options, onChange }: SegmentsProps<Value>): ReactNode {
  return (
    <div role="group" aria-label={label} className="flex flex-wrap gap-1">
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
          className={`flex h-8 items-center gap-1.5 rounded-lg px-2.5 text-[13px] font-medium ${
            option.value === value ? 'bg-accent-soft text-accent-strong' : 'text-muted hover:bg-sunken hover:text-text'
          }`}
        >
          {option.label}
          {option.count !== undefined && <span className="font-normal tabular-nums">{count(option.count)}</span>}
        </button>
      ))}
    </div>
  );
}
