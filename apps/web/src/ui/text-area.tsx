import type { ComponentProps, ReactNode } from 'react';

import { controlClass, Labelled } from './field.tsx';

interface TextAreaProps extends Omit<ComponentProps<'textarea'>, 'className' | 'id'> {
  readonly label: string;
  readonly help?: string;
}

/** A field of several lines. */
export function TextArea({ label, help, ...rest }: TextAreaProps): ReactNode {
  return (
    <Labelled
      label={label}
      help={help}
      control={(ids) => <textarea {...rest} {...ids} className={`${controlClass} h-auto py-1.5`} />}
    />
  );
}
