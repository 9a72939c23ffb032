import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { codexApi } from '../../../api/clients.ts';
import { useAction } from '../../../api/use-action.ts';
import { randomKey } from '../../../lib/random-key.ts';
import { Button } from '../../../ui/button.tsx';
import type { NoteController } from './note-controller.ts';

interface GoneNoticeProps {
  readonly controller: NoteController;
  readonly notebookId: string;
  readonly path: string;
}

/** Somebody has deleted what is open here. The text is still in the page, and can become a file again. */
export function GoneNotice({ controller, notebookId, path }: GoneNoticeProps): ReactNode {
  const navigate = useNavigate();
  const write = useAction({
    failed: 'Could not write the note again',
    run: async () => {
      const answer = await codexApi.POST('/notebooks/{id}/files', {
        params: { id: notebookId },
        query: { sync: 'true' },
        body: { path, content: controller.text.toString() },
        idempotencyKey: randomKey(),
      });
      const file = answer.status === 201 ? answer.data.id : answer.data.file_id;
      await navigate({ to: '/notebooks/$id/files/$file', params: { id: notebookId, file: file ?? '' } });
    },
  });
  return (
    <div role="alert" className="flex flex-wrap items-center gap-3 bg-warn-soft px-4 py-3 text-warn">
      <p className="min-w-0 flex-1 basis-56">This note was deleted or moved away. Its text is still here.</p>
      <Button size="small" isBusy={write.isPending} onClick={() => write.mutate()}>
        Write it again
      </Button>
    </div>
  );
}
