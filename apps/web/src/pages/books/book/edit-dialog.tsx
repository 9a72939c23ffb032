import type { ReactNode } from 'react';

import type { Book } from '../../../api/types.ts';
import { Button } from '../../../ui/button.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { EditField } from './edit-field.tsx';
import { fieldLabel, fields, valueText, writtenValue } from './fields.ts';
import { useBookEdit } from './use-book-edit.ts';

interface EditDialogProps {
  readonly book: Book;
  readonly etag: string | null;
  readonly onClose: () => void;
}

/** Edits the book as it was when the dialog opened; shows changes made elsewhere instead of overwriting them. */
export function EditDialog({ book, etag, onClose }: EditDialogProps): ReactNode {
  const edit = useBookEdit({ book, etag });
  return (
    <FormDialog
      title="Edit book"
      description="Changed fields are locked: scans and imports leave them alone."
      action="Save changes"
      isBusy={edit.isBusy}
      isDisabled={edit.isStale || !edit.isChanged}
      onSubmit={() => edit.save(onClose)}
      onClose={onClose}
    >
      {edit.isStale && <Conflict base={edit.base} now={book} onTake={edit.rebase} />}
      {fields.map((field) => (
        <EditField
          key={field.name}
          field={field}
          value={edit.valueOf(field.name)}
          source={edit.base.provenance[field.name]}
          isLocked={edit.isLocked(field.name)}
          onChange={(value) => edit.write(field.name, value)}
          onLock={(next) => edit.lock(field.name, next)}
        />
      ))}
    </FormDialog>
  );
}

interface ConflictProps {
  readonly base: Book;
  readonly now: Book;
  readonly onTake: () => void;
}

/** Shows what changed elsewhere, and continues from there. */
function Conflict({ base, now, onTake }: ConflictProps): ReactNode {
  const others = fields.filter(({ name }) => writtenValue(base, name) !== writtenValue(now, name));
  return (
    <div role="alert" className="grid gap-2 rounded-lg bg-warn-soft p-4">
      <p className="font-medium text-warn">This book was changed elsewhere.</p>
      <ul className="grid gap-1 text-[13px]">
        {others.map(({ name }) => (
          <li key={name} className="break-words">
            {fieldLabel(name)}: <del dir="auto">{valueText(writtenValue(base, name))}</del> →{' '}
            <ins dir="auto" className="no-underline">
              {valueText(writtenValue(now, name))}
            </ins>
          </li>
        ))}
      </ul>
      <div>
        <Button size="small" disabled={now.revision === base.revision} onClick={onTake}>
          Keep these changes and continue
        </Button>
      </div>
    </div>
  );
}
