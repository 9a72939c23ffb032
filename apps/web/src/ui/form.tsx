import type { ComponentProps, ReactNode } from 'react';

interface FormProps extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  readonly onSubmit: () => void;
}

/** A form that submits without leaving the page. */
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
