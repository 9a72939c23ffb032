import { ChevronDown } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';

import { Labelled } from './labelled.tsx';

export const controlClass =
  'h-9 w-full min-w-0 rounded-lg border border-line-strong bg-surface px-3 text-sm text-text placeholder:text-muted focus-visible:outline-offset-0';

interface TextField {
  readonly label: string;
  readonly help?: string;
  readonly onChange?: (text: string) => void;
}

export function Field(props: Omit<ComponentProps<'input'>, 'className' | 'id' | 'onChange'> & TextField): ReactNode {
  const { label, help, onChange, ...rest } = props;
  return (
    <Labelled label={label} help={help}>
      {(names) => (
        <input {...rest} {...names} className={controlClass} onChange={({ target }) => onChange?.(target.value)} />
      )}
    </Labelled>
  );
}

export function TextArea(
  props: Omit<ComponentProps<'textarea'>, 'className' | 'id' | 'onChange'> & TextField,
): ReactNode {
  const { label, help, onChange, ...rest } = props;
  return (
    <Labelled label={label} help={help}>
      {(names) => (
        <textarea
          {...rest}
          {...names}
          className={`${controlClass} h-auto py-1.5`}
          onChange={({ target }) => onChange?.(target.value)}
        />
      )}
    </Labelled>
  );
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly onChange: (value: Value) => void;
  readonly isLabelHidden?: boolean;
}

export function Choice<Value extends string>(props: ChoiceProps<Value>): ReactNode {
  const { label, value, options, onChange, isLabelHidden = false } = props;
  return (
    <Labelled label={label} isLabelHidden={isLabelHidden}>
      {(names) => (
        <div className="relative">
          <select
            {...names}
            className={`${controlClass} appearance-none truncate pr-9`}
            value={value}
            onChange={({ target }) => {
              const chosen = options.find((option) => option.value === target.value);
              if (chosen !== undefined) onChange(chosen.value);
            }}
          >
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </select>
          <ChevronDown className="pointer-events-none absolute top-2.5 right-3 size-4 text-muted" aria-hidden />
        </div>
      )}
    </Labelled>
  );
}
