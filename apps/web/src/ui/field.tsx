import { ChevronDown, Search } from 'lucide-react';
import { type ComponentProps, type ReactNode, useEffect, useId, useState } from 'react';

import { count } from '../lib/format.ts';

export const controlClass =
  'h-9 w-full min-w-0 rounded-lg border border-line-strong bg-surface px-3 text-sm text-text placeholder:text-muted focus-visible:outline-offset-0';

interface LabelProps {
  readonly label: string;
  readonly help?: ReactNode;
  readonly error?: string | undefined;
  readonly isLabelHidden?: boolean | undefined;
  /** Shown at the end of the label's line. */
  readonly action?: ReactNode;
}

type TextProps<Tag extends 'input' | 'textarea'> = LabelProps &
  Omit<ComponentProps<Tag>, 'id' | 'onChange'> & { readonly onChange?: (text: string) => void };

export function Field(props: TextProps<'input'>): ReactNode {
  const { label, help, error, isLabelHidden, action, className = '', onChange, ...rest } = props;
  return (
    <Labelled label={label} help={help} error={error} isLabelHidden={isLabelHidden} action={action}>
      {(names) => (
        <input
          {...rest}
          {...names}
          className={`${controlClass} ${className}`}
          onChange={({ target }) => onChange?.(target.value)}
        />
      )}
    </Labelled>
  );
}

export function TextArea({ label, help, action, onChange, ...rest }: TextProps<'textarea'>): ReactNode {
  return (
    <Labelled label={label} help={help} action={action}>
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

/** Attributes that connect a control with its label, help text and error. */
interface Names {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': boolean | undefined;
}

function Labelled(props: LabelProps & { readonly children: (names: Names) => ReactNode }): ReactNode {
  const { label, help, error, isLabelHidden = false, action, children } = props;
  const id = useId();
  const notes = [
    { id: `${id}-error`, text: error, className: 'text-bad' },
    { id: `${id}-help`, text: help, className: 'text-muted' },
  ].filter(({ text }) => text !== undefined);
  return (
    <div className="grid min-w-0 content-start gap-1.5">
      <div className={isLabelHidden ? 'sr-only' : 'flex items-center justify-between gap-3 text-[13px] font-medium'}>
        <label htmlFor={id}>{label}</label>
        {action}
      </div>
      {children({
        id,
        'aria-describedby': notes.map((note) => note.id).join(' ') || undefined,
        'aria-invalid': error === undefined ? undefined : true,
      })}
      {notes.map((note) => (
        <p key={note.id} id={note.id} className={`text-[13px] ${note.className}`}>
          {note.text}
        </p>
      ))}
    </div>
  );
}

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

const SETTLE_MS = 200;

interface SearchBoxProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A search field that calls `onChange` when typing pauses. `/` focuses it. */
export function SearchBox({ label, value, onChange }: SearchBoxProps): ReactNode {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  // The value changed elsewhere, for example because of the back button or a link.
  if (value !== known) {
    setKnown(value);
    setTyped(value);
  }
  useEffect(() => {
    if (typed === known) return undefined;
    const timer = setTimeout(() => {
      setKnown(typed);
      onChange(typed);
    }, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [typed, known, onChange]);
  return (
    <div className="relative min-w-0 flex-1">
      <Search className="pointer-events-none absolute top-2.5 left-3 size-4 text-muted" aria-hidden />
      <input
        type="search"
        data-search
        aria-label={label}
        placeholder={label}
        className={`${controlClass} pl-9`}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
    </div>
  );
}

interface FormProps extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  readonly onSubmit: () => void;
}

/** A form whose submission does not reload the page. */
export function Form({ onSubmit, className = 'grid gap-4', ...rest }: FormProps): ReactNode {
  return (
    <form
      className={className}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
      {...rest}
    />
  );
}
