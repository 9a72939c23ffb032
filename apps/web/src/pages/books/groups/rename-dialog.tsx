import { type ReactNode, useState } from 'react';

import { booksApi } from '../../../api/clients.ts';
import type { Author } from '../../../api/types.ts';
import { useAction } from '../../../api/use-action.ts';
import { Field, TextArea } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';

/** Edits the displayed name and its aliases; a scan assigns files with an alias to this author. */
export function RenameDialog({
  author,
  onClose,
}: {
  readonly author: Author;
  readonly onClose: () => void;
}): ReactNode {
  const [name, setName] = useState(author.name);
  const [aliases, setAliases] = useState(author.aliases.join('\n'));
  const save = useAction({
    failed: 'Could not rename the author',
    done: () => 'Saved',
    touches: ['audiobooks'],
    run: async () => {
      const others = aliases
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '');
      const body = {
        ...(name.trim() === author.name ? {} : { name: name.trim() }),
        add_aliases: others.filter((each) => !author.aliases.includes(each)),
        remove_aliases: author.aliases.filter((each) => !others.includes(each)),
      };
      await booksApi.PATCH('/authors/{author}', { params: { author: author.id }, body });
    },
  });
  return (
    <FormDialog
      title="Rename author"
      action="Save changes"
      isBusy={save.isPending}
      isDisabled={name.trim() === ''}
      onSubmit={() => save.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      <Field label="Name" dir="auto" required value={name} onChange={setName} />
      <TextArea
        label="Also known as"
        help="One per line. Files with any of these names belong to this author."
        rows={3}
        dir="auto"
        value={aliases}
        onChange={setAliases}
      />
    </FormDialog>
  );
}
