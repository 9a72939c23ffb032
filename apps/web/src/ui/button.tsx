import type { LucideIcon } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';

import { classNames } from '../lib/class-names.ts';

type Variant = 'primary' | 'plain' | 'quiet' | 'danger';

const variants: Readonly<Record<Variant, string>> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong border-transparent',
  plain: 'bg-surface text-text border-line-strong/60 hover:bg-sunken',
  quiet: 'bg-transparent text-muted border-transparent hover:bg-sunken hover:text-text',
  danger: 'bg-surface text-bad border-bad/40 hover:bg-bad-soft',
};

const shape =
  'inline-flex shrink-0 items-center justify-center gap-2 rounded-lg border font-medium whitespace-nowrap transition-colors disabled:opacity-50 [&_.lucide-play]:fill-current';

interface ButtonProps extends Omit<ComponentProps<'button'>, 'className'> {
  readonly variant?: Variant;
  readonly size?: 'small' | 'medium';
  readonly icon?: LucideIcon | undefined;
  /** Shows progress and ignores clicks. */
  readonly isBusy?: boolean;
}

export function buttonClass(variant: Variant = 'plain', size: 'small' | 'medium' = 'medium'): string {
  return classNames(shape, variants[variant], size === 'small' ? 'h-8 px-2.5 text-[13px]' : 'h-9 px-3.5 text-sm');
}

export function Button({
  variant,
  size,
  icon: Icon,
  isBusy = false,
  children,
  disabled,
  ...rest
}: ButtonProps): ReactNode {
  return (
    <button
      type="button"
      {...rest}
      className={buttonClass(variant, size)}
      disabled={disabled === true || isBusy}
      aria-busy={isBusy}
    >
      {Icon !== undefined && <Icon className={size === 'small' ? 'size-3.5' : 'size-4'} aria-hidden />}
      {children}
    </button>
  );
}

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'className' | 'aria-label' | 'children'> {
  readonly label: string;
  readonly icon: LucideIcon;
}

export function IconButton({ label, icon: Icon, ...rest }: IconButtonProps): ReactNode {
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      title={label}
      className="inline-flex size-9 shrink-0 items-center justify-center rounded-lg text-muted transition-colors hover:bg-sunken hover:text-text aria-disabled:opacity-40"
    >
      <Icon className="size-4" aria-hidden />
    </button>
  );
}
