import { Lock, LockOpen } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';

import { booksApi } from '../../../api/clients.ts';
import { queryClient } from '../../../api/query-client.ts';
import type { Book } from '../../../api/types.ts';
import { statusOf } from '../../../lib/error-reason.ts';
import { Button } from '../../../ui/button.tsx';
import { FormDialog } from '../../../ui/dialog.tsx';
import { Field, TextArea } from '../../../ui/field.tsx';
import { useBooksAction } from '../actions.ts';
import {
  type BookField,
  fieldLabel,
  type FieldName,
  fields,
  readValue,
  sourceText,
  valueText,
  writtenValue,
} from './fields.ts';

/** Fields that have their own forms. */
const OTHER_FIELDS = ['cover', 'chapters'] as const;

interface BookVersion {
  readonly book: Book;
  readonly etag: string | null;
}

/** Edits the book as it was when the dialog opened. Shows changes made elsewhere instead of overwriting them. */
export function EditDialog({ onClose, ...current }: BookVersion & { readonly onClose: () => void }): ReactNode {
  const edit = useBookEdit(current);
  return (
    <FormDialog
      title="Edit book"
      description="Fields you change are locked: scans and imports do not overwrite them."
      action="Save changes"
      isBusy={edit.isBusy}
      isDisabled={edit.isStale || !edit.isChanged}
      onSubmit={() => edit.save(onClose)}
      onClose={onClose}
    >
      {edit.isStale && <Conflict base={edit.base} current={current.book} onRebase={edit.rebase} />}
      {fields.map((field) => (
        <EditField
          key={field.name}
          field={field}
          value={edit.valueOf(field.name)}
          source={edit.base.provenance[field.name]}
          isLocked={edit.isLocked(field.name)}
          onChange={(value) => edit.write(field.name, value)}
          onLock={(isLocked) => edit.lock(field.name, isLocked)}
        />
      ))}
    </FormDialog>
  );
}

function useBookEdit(current: BookVersion) {
  const [base, setBase] = useState(current);
  const [written, setWritten] = useState<Readonly<Partial<Record<FieldName, string>>>>({});
  const [locks, setLocks] = useState<Readonly<Partial<Record<FieldName, boolean>>>>({});
  const names = fields.map(({ name }) => name);
  const wasLocked = (name: FieldName): boolean => base.book.locks.includes(name);
  const valueOf = (name: FieldName): string => written[name] ?? writtenValue(base.book, name);
  const isWritten = (name: FieldName): boolean => valueOf(name) !== writtenValue(base.book, name);
  // Editing a field locks it, unless the user unlocks it.
  const isLocked = (name: FieldName): boolean => locks[name] ?? (wasLocked(name) || isWritten(name));
  const changed = names.filter(isWritten);
  const save = useBooksAction({
    failed: 'Could not save the book',
    done: () => 'Saved',
    run: () =>
      booksApi.PATCH('/books/{book}', {
        params: { book: base.book.id },
        ...(base.etag === null ? {} : { ifMatch: base.etag }),
        body: {
          ...Object.fromEntries(changed.map((name) => [name, readValue(name, valueOf(name))])),
          // Keeps the locks of fields that the form does not contain.
          locks: [...names.filter(isLocked), ...OTHER_FIELDS.filter((name) => base.book.locks.includes(name))],
        },
      }),
  });
  const isStale = statusOf(save.error) === 412;
  useEffect(() => {
    if (isStale) void queryClient.invalidateQueries({ queryKey: ['audiobooks', 'book'] });
  }, [isStale]);
  return {
    /** The book as it was when editing started. */
    base: base.book,
    valueOf,
    isLocked,
    write: (name: FieldName, value: string) => setWritten({ ...written, [name]: value }),
    lock: (name: FieldName, value: boolean) => setLocks({ ...locks, [name]: value }),
    isChanged: changed.length > 0 || names.some((name) => isLocked(name) !== wasLocked(name)),
    isBusy: save.isPending,
    /** Whether the book was changed elsewhere. */
    isStale,
    /** Replaces the base with the current book and keeps the changes made in the form. */
    rebase: () => {
      setBase(current);
      save.reset();
    },
    save: (onSaved: () => void) => save.mutate(undefined, { onSuccess: onSaved }),
  };
}

interface ConflictProps {
  readonly base: Book;
  readonly current: Book;
  readonly onRebase: () => void;
}

function Conflict({ base, current, onRebase }: ConflictProps): ReactNode {
  const others = fields.filter(({ name }) => writtenValue(base, name) !== writtenValue(current, name));
  return (
    <div role="alert" className="grid justify-items-start gap-2 rounded-lg bg-warn-soft p-4">
      <p className="font-medium text-warn">This book was changed elsewhere.</p>
      <ul className="grid gap-1 text-[13px]">
        {others.map(({ name }) => (
          <li key={name} className="break-words">
            {fieldLabel(name)}: <del dir="auto">{valueText(writtenValue(base, name))}</del> →{' '}
            <bdi>{valueText(writtenValue(current, name))}</bdi>
          </li>
        ))}
      </ul>
      <Button size="small" disabled={current.revision === base.revision} onClick={onRebase}>
        Accept these changes and continue
      </Button>
    </div>
  );
}

interface EditFieldProps {
  readonly field: BookField;
  readonly value: string;
  readonly source: string | undefined;
  readonly isLocked: boolean;
  readonly onChange: (value: string) => void;
  readonly onLock: (isLocked: boolean) => void;
}

function EditField({ field, value, source, isLocked, onChange, onLock }: EditFieldProps): ReactNode {
  const { label, kind } = field;
  const origin = source === undefined ? '' : `Current value ${sourceText(source)}.`;
  const help = `${'help' in field ? field.help : ''} ${origin}`.trim();
  const common = {
    label,
    help: help === '' ? undefined : help,
    action: <LockButton label={label} isLocked={isLocked} onLock={onLock} />,
    dir: 'auto',
    value,
    onChange,
  } as const;
  if (kind === 'year') return <Field {...common} inputMode="numeric" pattern="-?[0-9]{1,4}" />;
  return kind === 'line' ? <Field {...common} /> : <TextArea {...common} rows={kind === 'text' ? 6 : 2} />;
}

function LockButton({
  label,
  isLocked,
  onLock,
}: Pick<EditFieldProps, 'isLocked' | 'onLock'> & { readonly label: string }): ReactNode {
  const Icon = isLocked ? Lock : LockOpen;
  return (
    <button
      type="button"
      aria-pressed={isLocked}
      aria-label={`Lock ${label.toLowerCase()}`}
      title={isLocked ? 'Locked: scans and imports do not change it' : 'Unlocked: scans and imports may change it'}
      onClick={() => onLock(!isLocked)}
      className={`flex items-center gap-1 rounded-md px-1.5 py-0.5 text-xs font-normal ${isLocked ? 'bg-accent-soft text-accent-strong' : 'text-muted hover:bg-sunken'}`}
    >
      <Icon className="size-3.5" aria-hidden />
      {isLocked ? 'Locked' : 'Unlocked'}
    </button>
  );
}
