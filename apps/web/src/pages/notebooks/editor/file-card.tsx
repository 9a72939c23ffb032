import { useQuery } from '@tanstack/react-query';
import { Download, File } from 'lucide-react';
import type { ReactNode } from 'react';

import type { NoteFile } from '../../../api/types.ts';
import { byteSize } from '../../../lib/format.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Time } from '../../../ui/time.tsx';
import { contentUrl, imageUrlOf } from './preview/notebook-files.ts';

/** A file that is not text: shown if the browser can show it, and available for download. */
export function FileCard({ file }: { readonly file: NoteFile }): ReactNode {
  return (
    <article className="grid gap-4" aria-label={file.path}>
      <header className="flex flex-wrap items-center gap-3">
        <span className="grid size-10 place-items-center rounded-lg bg-accent-soft text-accent">
          <File className="size-5" aria-hidden />
        </span>
        <div className="min-w-0 flex-1 basis-48">
          <h2 className="font-semibold break-words">{file.filename}</h2>
          <p className="text-[13px] text-muted">
            {byteSize(file.size)} · {file.content_type} · <Time at={file.updated_at} />
          </p>
        </div>
        <a href={contentUrl(file)} download={file.filename} className={buttonClass()}>
          <Download className="size-4" aria-hidden />
          Download
        </a>
      </header>
      <Shown file={file} />
    </article>
  );
}

function Shown({ file }: { readonly file: NoteFile }): ReactNode {
  const [kind] = file.content_type.split('/');
  if (kind === 'image') return <Picture file={file} />;
  // The user's own files have no captions.
  if (kind === 'audio') return <audio controls preload="metadata" src={contentUrl(file)} className="w-full" />;
  if (kind === 'video') {
    return <video controls preload="metadata" src={contentUrl(file)} className="max-h-[70dvh] max-w-full rounded-lg" />;
  }
  return null;
}

function Picture({ file }: { readonly file: NoteFile }): ReactNode {
  const query = useQuery({
    queryKey: ['codex', String(file.notebook_id), 'picture', file.id, file.hash],
    queryFn: async () => (await imageUrlOf(file)) ?? contentUrl(file),
  });
  return (
    <Loaded query={query}>
      {(url) => (
        <img src={url} alt={file.filename} className="max-h-[70dvh] max-w-full rounded-lg border border-line" />
      )}
    </Loaded>
  );
}
