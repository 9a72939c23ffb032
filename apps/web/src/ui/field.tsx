import { ChevronDown } from 'lucide-react';
import { type ComponentProps, type ReactNode, useId } from 'react';

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

/** Attributes that connect a control with its label and help text. */
interface Names {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
}

interface LabelledProps {
  readonly label: string;
  readonly help?: ReactNode;
  readonly isLabelHidden?: boolean;
  /** Shown at the end of the label's line. */
  readonly action?: ReactNode;
  readonly children: (names: Names) => ReactNode;
}

export function Labelled(props: LabelledProps): ReactNode {
  const { label, help, isLabelHidden = false, action, children } = props;
  const id = useId();
  const helpId = `${id}-help`;
  return (
    <div className="grid min-w-0 gap-1.5">
      <div className={isLabelHidden ? 'sr-only' : 'flex items-center justify-between gap-3 text-[13px] font-medium'}>
        <label htmlFor={id}>{label}</label>
        {action}
      </div>
      {children({ id, 'aria-describedby': help === undefined ? undefined : helpId })}
      {help !== undefined && (
        <p id={helpId} className="text-[13px] text-muted">
          {help}
        </p>
      )}
    </div>
  );
}
