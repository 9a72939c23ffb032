import { ChevronDown } from 'lucide-react';
import { type ComponentProps, type ReactNode, useId } from 'react';

export const controlClass =
  'h-9 w-full min-w-0 rounded-lg border border-line-strong bg-surface px-3 text-sm text-text placeholder:text-muted focus-visible:outline-offset-0';

interface LabelledProps {
  readonly label: string;
  readonly help: string | undefined;
  readonly control: (ids: { readonly id: string; readonly 'aria-describedby': string | undefined }) => ReactNode;
}

/** A control with its label and, below it, what to write there. */
export function Labelled({ label, help, control }: LabelledProps): ReactNode {
  const id = useId();
  const helpId = `${id}-help`;
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-[13px] font-medium">
        {label}
      </label>
      {control({ id, 'aria-describedby': help === undefined ? undefined : helpId })}
      {help !== undefined && (
        <p id={helpId} className="text-[13px] text-muted">
          {help}
        </p>
      )}
    </div>
  );
}

interface FieldProps extends Omit<ComponentProps<'input'>, 'className' | 'id'> {
  readonly label: string;
  readonly help?: string;
}

export function Field({ label, help, ...rest }: FieldProps): ReactNode {
  return (
    <Labelled label={label} help={help} control={(ids) => <input {...rest} {...ids} className={controlClass} />} />
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
  const id = useId();
  return (
    <div className="grid min-w-0 gap-1.5">
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'text-[13px] font-medium'}>
        {label}
      </label>
      <div className="relative">
        <select
          id={id}
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
    </div>
  );
}
