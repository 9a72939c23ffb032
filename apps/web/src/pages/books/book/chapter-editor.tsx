import { useQuery } from '@tanstack/react-query';
import { FileUp, Globe, Headphones, Play, Plus, Trash2 } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';

import { providersQuery } from '../../../api/audiobooks-queries.ts';
import { booksApi } from '../../../api/clients.ts';
import type { Book } from '../../../api/types.ts';
import { count } from '../../../lib/format.ts';
import { say } from '../../../lib/toasts.ts';
import { currentPosition, playBook } from '../../../player/player.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { ConfirmButton } from '../../../ui/dialog.tsx';
import { Choice, Field } from '../../../ui/field.tsx';
import { Card } from '../../../ui/page.tsx';
import { useBooksAction } from '../actions.ts';
import { lengthText } from '../book-text.ts';
import { type ChapterMark, type ChapterRow, checkRows, readStart, startText } from './chapter-rows.ts';

interface ChapterEditorProps {
  readonly book: Book;
  readonly etag: string | null;
  readonly onClose: () => void;
}

/** Edits titles and starts. It is part of the page, not a dialog, so that the player stays usable. */
export function ChapterEditor({ book, etag, onClose }: ChapterEditorProps): ReactNode {
  const nextKey = useRef(0);
  const rowOf = ({ title, start_ms: ms }: ChapterMark): ChapterRow => ({
    key: nextKey.current++,
    start: startText(ms),
    title,
  });
  const [rows, setRows] = useState<readonly ChapterRow[]>(() => book.chapters.map(rowOf));
  const { marks, problems } = checkRows(rows, book.duration_ms);
  const change = (key: number, changed: Partial<ChapterRow>): void =>
    setRows(rows.map((row) => (row.key === key ? { ...row, ...changed } : row)));
  const save = useBooksAction<readonly ChapterMark[]>({
    failed: 'Could not save the chapters',
    done: () => 'Chapters saved',
    run: (chapters) =>
      booksApi.PUT('/books/{book}/chapters', {
        params: { book: book.id },
        ...(etag === null ? {} : { ifMatch: etag }),
        body: { chapters: [...chapters] },
      }),
  });
  const store = (chapters: readonly ChapterMark[]): void => save.mutate(chapters, { onSuccess: onClose });
  return (
    <Card
      title="Edit chapters"
      description="The files change only when you merge or tag them. You can undo each change from the history."
      actions={<Suggestions book={book} onMarks={(found) => setRows(found.map(rowOf))} />}
    >
      <ul className="grid gap-3" aria-label="Chapters">
        {rows.map((row) => (
          <ChapterFields
            key={row.key}
            row={row}
            problem={problems.get(row.key)}
            onChange={(changed) => change(row.key, changed)}
            onPlay={() => playBook(book, readStart(row.start) ?? 0)}
            onHere={() => change(row.key, { start: startText(currentPosition(book)) })}
            onRemove={() => setRows(rows.filter(({ key }) => key !== row.key))}
          />
        ))}
      </ul>
      <div className="mt-4 flex flex-wrap items-center gap-3">
        <Button icon={Plus} onClick={() => setRows([...rows, rowOf({ title: '', start_ms: currentPosition(book) })])}>
          Add chapter at the current position
        </Button>
        <span className="flex-1" />
        {book.locks.includes('chapters') && (
          <ConfirmButton
            title="Restore the chapters from the files?"
            action="Restore chapters"
            mutation={{ ...save, mutate: () => store([]) }}
            explanation="Your edited chapters stay in the history, where you can restore them."
          >
            Restore chapters from files
          </ConfirmButton>
        )}
        <Button onClick={onClose}>Cancel</Button>
        <Button
          variant="primary"
          isBusy={save.isPending}
          disabled={problems.size > 0 || marks.length === 0}
          onClick={() => store(marks)}
        >
          Save chapters
        </Button>
      </div>
    </Card>
  );
}

interface ChapterFieldsProps {
  readonly row: ChapterRow;
  readonly problem: string | undefined;
  readonly onChange: (changed: Partial<ChapterRow>) => void;
  readonly onPlay: () => void;
  readonly onHere: () => void;
  readonly onRemove: () => void;
}

function ChapterFields({ row, problem, onChange, onPlay, onHere, onRemove }: ChapterFieldsProps): ReactNode {
  const name = row.title === '' ? 'this chapter' : row.title;
  return (
    <li className="flex flex-wrap items-start gap-2 sm:flex-nowrap">
      <div className="w-32 shrink-0">
        <Field
          label={`Start of ${name}`}
          isLabelHidden
          value={row.start}
          error={problem}
          onChange={(start) => onChange({ start })}
        />
      </div>
      <div className="min-w-40 flex-1">
        <Field
          label={`Title at ${row.start}`}
          isLabelHidden
          value={row.title}
          placeholder="Title"
          maxLength={500}
          onChange={(title) => onChange({ title })}
        />
      </div>
      <div className="flex">
        <IconButton icon={Play} label={`Play from ${row.start}`} onClick={onPlay} />
        <IconButton icon={Headphones} label={`Start ${name} at the current position`} onClick={onHere} />
        <IconButton icon={Trash2} label={`Remove ${name}`} onClick={onRemove} />
      </div>
    </li>
  );
}

interface SuggestionsProps {
  readonly book: Book;
  readonly onMarks: (marks: readonly ChapterMark[]) => void;
}

const SAME_LENGTH_MS = 5_000;

/** Fills the editor from silences, a cue sheet or a provider. Nothing is saved until the user saves. */
function Suggestions({ book, onMarks }: SuggestionsProps): ReactNode {
  const [seconds, setSeconds] = useState<'1' | '2' | '3' | '5'>('2');
  const file = useRef<HTMLInputElement>(null);
  const silences = useBooksAction({
    failed: 'Could not detect silences',
    done: (found: number) => (found === 0 ? 'No silences found' : `Found ${count(found, 'possible chapter start')}`),
    run: async () => {
      const query = { seconds: Number(seconds) };
      const { data: found } = await booksApi.GET('/books/{book}/silences', { params: { book: book.id }, query });
      const starts = found.data.map(({ start_ms: ms }) => ms);
      if (starts.length > 0) onMarks([0, ...starts].map((ms) => ({ title: '', start_ms: ms })));
      return starts.length;
    },
  });
  const cue = useBooksAction<File>({
    failed: 'Could not read the cue sheet',
    run: async (chosen) => {
      const body = { cue: await chosen.text() };
      const { data: found } = await booksApi.POST('/books/{book}/cue', { params: { book: book.id }, body });
      onMarks(found.data);
    },
  });
  const providers = useQuery(providersQuery).data ?? [];
  const lookUp = useBooksAction({
    failed: 'Could not find chapters',
    run: async () => {
      const { data: found } = await booksApi.POST('/books/{book}/chapters/find', {
        params: { book: book.id },
        body: {},
      });
      onMarks(found.data);
      const difference = found.duration_ms === null ? 0 : Math.abs(found.duration_ms - book.duration_ms);
      // Recordings of the same length are probably the same recording.
      if (difference > SAME_LENGTH_MS)
        say(`These chapters belong to a recording with a length of ${lengthText(found.duration_ms ?? 0)}`);
    },
  });
  return (
    <div className="flex flex-wrap items-end gap-2">
      {providers.some(({ enabled }) => enabled) && (
        <Button size="small" icon={Globe} isBusy={lookUp.isPending} onClick={() => lookUp.mutate()}>
          Ask providers
        </Button>
      )}
      <Choice
        label="Silence of at least"
        value={seconds}
        options={(['1', '2', '3', '5'] as const).map((value) => ({ value, label: `${value} s` }))}
        onChange={setSeconds}
      />
      <Button size="small" isBusy={silences.isPending} onClick={() => silences.mutate()}>
        Find silences
      </Button>
      <Button size="small" icon={FileUp} isBusy={cue.isPending} onClick={() => file.current?.click()}>
        Read cue sheet
      </Button>
      <input
        ref={file}
        type="file"
        accept=".cue,text/plain"
        className="hidden"
        aria-label="Cue sheet"
        onChange={({ target }) => {
          const [chosen] = target.files ?? [];
          if (chosen !== undefined) cue.mutate(chosen);
          target.value = '';
        }}
      />
    </div>
  );
}
