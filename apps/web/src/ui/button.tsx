import { Check, Copy, type LucideIcon } from 'lucide-react';
import { type ComponentProps, Fragment, type ReactNode, useState } from 'react';

import { classNames } from '../lib/class-names.ts';
import { copyText } from '../lib/copy.ts';

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

const SHOWN_MS = 2_000;

export function CopyButton({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }): ReactNode {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    if (!(await copyText(text))) return;
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_MS);
  };
  return <IconButton label={isCopied ? 'Copied' : label} icon={isCopied ? Check : Copy} onClick={() => void copy()} />;
}

export function Command({ text }: { readonly text: string }): ReactNode {
  return (
    <div className="flex min-w-0 items-center gap-1 rounded-lg border border-line bg-sunken pl-3 text-left font-mono text-[13px]">
      <code className="min-w-0 flex-1 py-1.5">
        {text.split(' ').map((word, at) => (
          // Allows line breaks between words, but not after the dashes of an option.
          <Fragment key={at}>
            {at > 0 && ' '}
            <span className="inline-block max-w-full break-words">{word}</span>
          </Fragment>
        ))}
      </code>
      <CopyButton text={text} label={`Copy ${text}`} />
    </div>
  );
}
