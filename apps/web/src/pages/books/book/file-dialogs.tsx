import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import { tagPlanQuery } from '../../../api/audiobooks-queries.ts';
import { booksApi } from '../../../api/clients.ts';
import type { Book } from '../../../api/types.ts';
import { count } from '../../../lib/format.ts';
import { randomKey } from '../../../lib/random-key.ts';
import { Button } from '../../../ui/button.tsx';
import { FormDialog } from '../../../ui/dialog.tsx';
import { Choice, Field } from '../../../ui/field.tsx';
import { Loaded } from '../../../ui/page.tsx';
import { useBooksAction } from '../actions.ts';

interface BookProps {
  readonly book: Book;
}

/** Operations that rewrite the files of a book. The Operations page shows their progress and can undo them. */
export function FileActions({ book }: BookProps): ReactNode {
  const [open, setOpen] = useState<'convert' | 'tags'>();
  const close = (): void => setOpen(undefined);
  return (
    <div className="flex flex-wrap gap-2">
      <Button size="small" onClick={() => setOpen('tags')}>
        Write tags
      </Button>
      <Button size="small" onClick={() => setOpen('convert')}>
        Convert
      </Button>
      {open === 'tags' && <TagDialog book={book} onClose={close} />}
      {open === 'convert' && <ConvertDialog book={book} onClose={close} />}
    </div>
  );
}

interface FileDialogProps extends BookProps {
  readonly onClose: () => void;
}

const CHANGES_SHOWN = 100;

function TagDialog({ book: { id }, onClose }: FileDialogProps): ReactNode {
  const plan = useQuery(tagPlanQuery(id));
  const write = useBooksAction({
    failed: 'Could not write the tags',
    done: () => 'Writing tags. You can undo this on the Operations page.',
    run: () => booksApi.POST('/operations/tag', { body: { book: id }, idempotencyKey: randomKey() }),
  });
  const files = plan.data?.files ?? 0;
  return (
    <FormDialog
      title="Write tags"
      description="Writes the metadata, chapters and cover shown here into the audio files, so that other programs see them."
      action={`Write ${count(files, 'file')}`}
      isBusy={write.isPending}
      isDisabled={files === 0}
      onSubmit={() => write.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      <Loaded query={plan}>
        {({ changes }) =>
          changes.length === 0 ? (
            <p>The files already contain these tags.</p>
          ) : (
            <ul aria-label="Tag changes" className="grid max-h-72 gap-2 overflow-y-auto text-[13px]">
              {changes.slice(0, CHANGES_SHOWN).map(({ path, field, from, to }) => (
                <li key={`${path} ${field}`} className="break-words">
                  <span className="font-mono text-xs text-muted">{path}</span> {field}: <del>{from}</del>{' '}
                  <ins className="no-underline">{to}</ins>
                </li>
              ))}
              {changes.length > CHANGES_SHOWN && <li>{count(changes.length - CHANGES_SHOWN, 'more change')}</li>}
            </ul>
          )
        }
      </Loaded>
    </FormDialog>
  );
}

const formats = [
  { value: 'm4a', label: 'M4A (AAC): plays everywhere, supports chapters' },
  { value: 'mp3', label: 'MP3: plays everywhere' },
  { value: 'opus', label: 'Opus: small files' },
  { value: 'flac', label: 'FLAC: lossless' },
] as const;

function ConvertDialog({ book, onClose }: FileDialogProps): ReactNode {
  const [format, setFormat] = useState<(typeof formats)[number]['value']>('m4a');
  const [bitrate, setBitrate] = useState('');
  const convert = useBooksAction({
    failed: 'Could not start the conversion',
    done: () => 'Converting files. You can undo this on the Operations page.',
    run: () => {
      const body = { book: book.id, format, ...(bitrate === '' ? {} : { bitrate_kbps: Number(bitrate) }) };
      return booksApi.POST('/operations/transcode', { body, idempotencyKey: randomKey() });
    },
  });
  return (
    <FormDialog
      title="Convert files"
      description="Encodes every file of the book again. Originals are kept for 30 days, and listening positions are preserved."
      action={`Convert ${count(book.segments.length, 'file')}`}
      isBusy={convert.isPending}
      onSubmit={() => convert.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      <Choice label="New format" value={format} options={formats} onChange={setFormat} />
      <Field
        label="Bit rate (kbit/s)"
        type="number"
        min={16}
        max={512}
        help="Leave empty for a bit rate that suits speech."
        value={bitrate}
        onChange={setBitrate}
      />
    </FormDialog>
  );
}
