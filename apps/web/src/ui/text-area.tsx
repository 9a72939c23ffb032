import { type ComponentProps, type ReactNode, useId } from 'react';

import { controlClass } from './field.tsx';

interface TextAreaProps extends Omit<ComponentProps<'textarea'>, 'className' | 'id'> {
  readonly label: string;
  readonly help?: string;
}

/** A field of several lines. */
export function TextArea({ label, help, ...rest }: TextAreaProps): ReactNode {
  const id = useId();
  const helpId = `${id}-help`;
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-[13px] font-medium">
        {label}
      </label>
      <textarea
        {...rest}
        id={id}
        className={`${controlClass} h-auto py-1.5`}
        aria-describedby={help === undefined ? undefined : helpId}
      />
      {help !== undefined && (
        <p id={helpId} className="text-[13px] text-muted">
          {help}
        </p>
      )}
    </div>
  );
}
