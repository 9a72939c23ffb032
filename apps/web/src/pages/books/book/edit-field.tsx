import { Lock, LockOpen } from 'lucide-react';
import { type ReactNode, useId } from 'react';

import { controlClass } from '../../../ui/field.tsx';
import { type fields, sourceWords } from './fields.ts';

interface EditFieldProps {
  readonly field: (typeof fields)[number];
  readonly value: string;
  /** Where the present value came from. */
  readonly source: string | undefined;
  readonly isLocked: boolean;
  readonly onChange: (value: string) => void;
  readonly onLock: (isLocked: boolean) => void;
}

export function EditField({ field, value, source, isLocked, onChange, onLock }: EditFieldProps): ReactNode {
  const id = useId();
  const { label, kind, help } = field;
  const said = [help, source === undefined ? undefined : `Now ${sourceWords(source)}.`].filter(
    (part) => part !== undefined,
  );
  const shared = {
    id,
    value,
    dir: 'auto',
    'aria-describedby': said.length === 0 ? undefined : `${id}-help`,
  } as const;
  return (
    <div className="grid gap-1.5">
      <div className="flex items-center justify-between gap-3">
        <label htmlFor={id} className="text-[13px] font-medium">
          {label}
        </label>
        <button
          type="button"
          aria-pressed={isLocked}
          aria-label={`Lock ${label.toLowerCase()}`}
          title={isLocked ? 'Locked: scans and imports leave it alone' : 'Not locked: a scan may change it'}
          onClick={() => onLock(!isLocked)}
          className={`flex items-center gap-1 rounded-md px-1.5 py-0.5 text-xs ${isLocked ? 'bg-accent-soft text-accent-strong' : 'text-muted hover:bg-sunken'}`}
        >
          {isLocked ? <Lock className="size-3.5" aria-hidden /> : <LockOpen className="size-3.5" aria-hidden />}
          {isLocked ? 'Locked' : 'Open'}
        </button>
      </div>
      {kind === 'line' || kind === 'year' ? (
        <input
          {...shared}
          inputMode={kind === 'year' ? 'numeric' : undefined}
          pattern={kind === 'year' ? '-?[0-9]{1,4}' : undefined}
          className={controlClass}
          onChange={({ target }) => onChange(target.value)}
        />
      ) : (
        <textarea
          {...shared}
          rows={kind === 'text' ? 6 : 2}
          className={`${controlClass} h-auto py-1.5`}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
      {said.length > 0 && (
        <p id={`${id}-help`} className="text-xs text-muted">
          {said.join(' ')}
        </p>
      )}
    </div>
  );
}
