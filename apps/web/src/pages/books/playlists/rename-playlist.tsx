import { Pencil } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { audiobooksApi } from '../../../api/audiobooks-client.ts';
import type { Playlist } from '../../../api/listening-types.ts';
import { useAction } from '../../../api/use-action.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { Form } from '../../../ui/form.tsx';

export function RenamePlaylist({ playlist: { id, name } }: { readonly playlist: Playlist }): ReactNode {
  const [written, setWritten] = useState<string>();
  const close = (): void => setWritten(undefined);
  const rename = useAction({
    failed: 'Could not rename the playlist',
    touches: ['audiobooks'],
    run: async () => {
      await audiobooksApi.PATCH('/playlists/{id}', { params: { id }, body: { name: written?.trim() } });
      close();
    },
  });
  return (
    <>
      <IconButton label={`Rename ${name}`} onClick={() => setWritten(name)}>
        <Pencil className="size-4" aria-hidden />
      </IconButton>
      <Dialog title="Rename the playlist" isOpen={written !== undefined} onClose={close}>
        <Form onSubmit={() => rename.mutate()}>
          <Field
            label="Name"
            dir="auto"
            required
            maxLength={200}
            value={written ?? ''}
            onChange={({ target }) => setWritten(target.value)}
          />
          <DialogActions>
            <Button onClick={close}>Cancel</Button>
            <Button type="submit" look="primary" isBusy={rename.isPending} disabled={written?.trim() === ''}>
              Save
            </Button>
          </DialogActions>
        </Form>
      </Dialog>
    </>
  );
}
