import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { FileText, Search } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';

import { linkNamesQuery } from '../../api/codex-queries.ts';
import { Finder, FinderDialog } from '../../ui/finder.tsx';

type Choice =
  | { readonly kind: 'note'; readonly id: string; readonly path: string; readonly title: string | null }
  | { readonly kind: 'search' };

/** Ctrl+P: opens a note by part of its name. */
export function Switcher({ id }: { readonly id: string }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'p' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey)
        return;
      event.preventDefault();
      setOpen((was) => !was);
    };
    window.addEventListener('keydown', onKey, true);
    return () => window.removeEventListener('keydown', onKey, true);
  }, []);
  return (
    <FinderDialog label="Open note" isOpen={isOpen} onOpenChange={setOpen}>
      <Names id={id} onDone={() => setOpen(false)} />
    </FinderDialog>
  );
}

function Names({ id, onDone }: { readonly id: string; readonly onDone: () => void }): ReactNode {
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const { data: names = [] } = useQuery(linkNamesQuery(id, text.trim()));
  const found: readonly Choice[] = [
    ...names.map((name) => ({ kind: 'note', ...name }) as const),
    ...(text.trim() === '' ? [] : [{ kind: 'search' } as const]),
  ];
  return (
    <Finder
      label="Note name"
      text={text}
      onText={setText}
      found={found}
      keyOf={(choice) => (choice.kind === 'note' ? choice.id : 'search')}
      none="Type part of a name."
      render={(choice) => <Row choice={choice} text={text} />}
      onChoose={(choice) => {
        onDone();
        if (choice.kind === 'search')
          void navigate({ to: '/notebooks/$id/search', params: { id }, search: { q: text } });
        else void navigate({ to: '/notebooks/$id/files/$file', params: { id, file: choice.id } });
      }}
    />
  );
}

function Row({ choice, text }: { readonly choice: Choice; readonly text: string }): ReactNode {
  if (choice.kind === 'search') {
    return (
      <>
        <Search className="size-4 shrink-0" aria-hidden />
        <span className="min-w-0 truncate">Search the text of all notes for “{text.trim()}”</span>
      </>
    );
  }
  const name = choice.path.slice(choice.path.lastIndexOf('/') + 1);
  return (
    <>
      <FileText className="size-4 shrink-0" aria-hidden />
      <span className="grid min-w-0 flex-1 py-1">
        <span className="truncate">{choice.title ?? name}</span>
        <span className="truncate text-xs text-muted">{choice.path}</span>
      </span>
    </>
  );
}
