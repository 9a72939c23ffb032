import { Pencil } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { booksApi } from '../../../api/clients.ts';
import type { Playlist } from '../../../api/types.ts';
import { useAction } from '../../../api/use-action.ts';
import { IconButton } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';

export function RenamePlaylist({ playlist: { id, name } }: { readonly playlist: Playlist }): ReactNode {
  const [written, setWritten] = useState<string>();
  const close = (): void => setWritten(undefined);
  const rename = useAction({
    failed: 'Could not rename the playlist',
    touches: ['audiobooks'],
    run: async () => {
      await booksApi.PATCH('/playlists/{id}', { params: { id }, body: { name: written?.trim() } });
      close();
    },
  });
  return (
    <>
      <IconButton label={`Rename ${name}`} onClick={() => setWritten(name)}>
        <Pencil className="size-4" aria-hidden />
      </IconButton>
      {written !== undefined && (
        <FormDialog
          title="Rename playlist"
          action="Rename playlist"
          isBusy={rename.isPending}
          isDisabled={written.trim() === ''}
          onSubmit={() => rename.mutate()}
          onClose={close}
        >
          <Field
            label="Name"
            dir="auto"
            required
            maxLength={200}
            value={written}
            onChange={({ target }) => setWritten(target.value)}
          />
        </FormDialog>
      )}
    </>
  );
}
