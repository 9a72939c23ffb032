import { Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import type { Library } from '../../../api/types.ts';
import { count } from '../../../lib/format.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Time } from '../../../ui/time.tsx';
import { AddLibrary } from './add-library.tsx';
import { EditLibrary } from './edit-library.tsx';
import { useScan } from './use-scan.ts';

interface LibrariesCardProps {
  readonly libraries: readonly Library[];
  readonly manages: boolean;
}

/** Library folders, for users who manage them. */
export function LibrariesCard({ libraries, manages }: LibrariesCardProps): ReactNode {
  const [isAdding, setAdding] = useState(false);
  const [edited, setEdited] = useState<Library>();
  if (!manages) return null;
  return (
    <Card
      title="Libraries"
      isFlush
      actions={
        <Button size="small" icon={<Plus className="size-4" aria-hidden />} onClick={() => setAdding(true)}>
          Add library
        </Button>
      }
    >
      <ul className="divide-y divide-line border-t border-line">
        {libraries.map((library) => (
          <LibraryLine key={library.id} library={library} onEdit={() => setEdited(library)} />
        ))}
      </ul>
      {isAdding && (
        <Dialog title="Add library" isOpen onClose={() => setAdding(false)}>
          <AddLibrary onDone={() => setAdding(false)} />
        </Dialog>
      )}
      {edited !== undefined && <EditLibrary library={edited} onClose={() => setEdited(undefined)} />}
    </Card>
  );
}

function LibraryLine({ library, onEdit }: { readonly library: Library; readonly onEdit: () => void }): ReactNode {
  const scan = useScan(library.id);
  const { name, root, books, scanned_at: at } = library;
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-2 px-5 py-3">
      <div className="min-w-0 flex-1 basis-56">
        <p dir="auto" className="truncate font-medium">
          {name}
        </p>
        <p className="truncate font-mono text-xs text-muted" title={root}>
          {root}
        </p>
      </div>
      <p className="text-[13px] text-muted tabular-nums">
        {count(books, 'book')}
        {' · '}
        {at === null ? 'never scanned' : <Time at={at} />}
      </p>
      <div className="flex gap-2">
        <Button size="small" aria-label={`Scan ${name}`} isBusy={scan.isPending} onClick={() => scan.mutate()}>
          Scan
        </Button>
        <Button size="small" variant="quiet" aria-label={`Manage ${name}`} onClick={onEdit}>
          Manage
        </Button>
      </div>
    </li>
  );
}
