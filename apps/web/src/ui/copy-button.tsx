import { Check, Copy } from 'lucide-react';
import { Fragment, type ReactNode, useState } from 'react';

import { copyText } from '../lib/copy.ts';
import { IconButton } from './button.tsx';

const SHOWN_MS = 2_000;

export function CopyButton({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }): ReactNode {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    if (!(await copyText(text))) return;
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_MS);
  };
  return <IconButton label={isCopied ? 'Copied' : label} icon={isCopied ? Check : Copy} onClick={() => void copy()} />;
}

export function Command({ text }: { readonly text: string }): ReactNode {
  return (
    <div className="flex min-w-0 items-center gap-1 rounded-lg border border-line bg-sunken pl-3 text-left font-mono text-[13px]">
      <code className="min-w-0 flex-1 py-1.5">
        {text.split(' ').map((word, at) => (
          // Wraps between words, but not at the dashes of an option.
          <Fragment key={at}>
            {at > 0 && ' '}
            <span className="inline-block max-w-full break-words">{word}</span>
          </Fragment>
        ))}
      </code>
      <CopyButton text={text} label={`Copy ${text}`} />
    </div>
  );
}
