import { Lock, LockOpen } from 'lucide-react';
import type { ReactNode } from 'react';

import { controlClass } from '../../../ui/field.tsx';
import { Labelled } from '../../../ui/labelled.tsx';
import { type fields, sourceWords } from './fields.ts';

interface EditFieldProps {
  readonly field: (typeof fields)[number];
  readonly value: string;
  /** Source of the current value. */
  readonly source: string | undefined;
  readonly isLocked: boolean;
  readonly onChange: (value: string) => void;
  readonly onLock: (isLocked: boolean) => void;
}

export function EditField({ field, value, source, isLocked, onChange, onLock }: EditFieldProps): ReactNode {
  const { label, kind, help } = field;
  const said = [help, source === undefined ? undefined : `Current value ${sourceWords(source)}.`].filter(
    (part) => part !== undefined,
  );
  return (
    <Labelled
      label={label}
      help={said.length === 0 ? undefined : said.join(' ')}
      beside={<LockButton label={label} isLocked={isLocked} onLock={onLock} />}
    >
      {(names) =>
        kind === 'line' || kind === 'year' ? (
          <input
            {...names}
            value={value}
            dir="auto"
            inputMode={kind === 'year' ? 'numeric' : undefined}
            pattern={kind === 'year' ? '-?[0-9]{1,4}' : undefined}
            className={controlClass}
            onChange={({ target }) => onChange(target.value)}
          />
        ) : (
          <textarea
            {...names}
            value={value}
            dir="auto"
            rows={kind === 'text' ? 6 : 2}
            className={`${controlClass} h-auto py-1.5`}
            onChange={({ target }) => onChange(target.value)}
          />
        )
      }
    </Labelled>
  );
}

interface LockButtonProps {
  readonly label: string;
  readonly isLocked: boolean;
  readonly onLock: (isLocked: boolean) => void;
}

function LockButton({ label, isLocked, onLock }: LockButtonProps): ReactNode {
  const Icon = isLocked ? Lock : LockOpen;
  return (
    <button
      type="button"
      aria-pressed={isLocked}
      aria-label={`Lock ${label.toLowerCase()}`}
      title={isLocked ? 'Locked: scans and imports do not change it' : 'Unlocked: a scan may change it'}
      onClick={() => onLock(!isLocked)}
      className={`flex items-center gap-1 rounded-md px-1.5 py-0.5 text-xs font-normal ${isLocked ? 'bg-accent-soft text-accent-strong' : 'text-muted hover:bg-sunken'}`}
    >
      <Icon className="size-3.5" aria-hidden />
      {isLocked ? 'Locked' : 'Unlocked'}
    </button>
  );
}
