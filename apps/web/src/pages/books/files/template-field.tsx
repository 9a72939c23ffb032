import { type ReactNode, useRef } from 'react';

import { controlClass } from '../../../ui/field.tsx';
import { Labelled } from '../../../ui/labelled.tsx';

/** One folder per book; file names stay. */
export const defaultTemplate = '{author}/[{series}/][{sequence:2} - ]{title}[ ({year})]';

const examples = [
  { label: 'One folder per book', template: defaultTemplate },
  { label: 'Without series', template: '{author}/{title}[ ({year})]' },
  { label: 'With file names', template: '{author}/{title}/[{track:3} - ]{title}.{ext}' },
] as const;

const variables = ['author', 'title', 'series', 'sequence', 'year', 'narrator', 'language', 'genre'] as const;

const help = (
  <>
    A slash starts a folder. Parts in <code className="font-mono">[ ]</code> are omitted if the book has no value for
    them. <code className="font-mono">:2</code> pads to two digits.
  </>
);

interface TemplateFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function TemplateField({ value, onChange }: TemplateFieldProps): ReactNode {
  const box = useRef<HTMLInputElement>(null);
  const insert = (name: string): void => {
    const element = box.current;
    const [from, to] = [element?.selectionStart ?? value.length, element?.selectionEnd ?? value.length];
    onChange(`${value.slice(0, from)}{${name}}${value.slice(to)}`);
    element?.focus();
  };
  return (
    <div className="grid gap-2">
      <Labelled label="Template" help={help}>
        {(names) => (
          <input
            {...names}
            ref={box}
            dir="ltr"
            spellCheck={false}
            autoComplete="off"
            maxLength={1_000}
            className={`${controlClass} font-mono text-[13px]`}
            value={value}
            onChange={({ target }) => onChange(target.value)}
          />
        )}
      </Labelled>
      <div className="flex flex-wrap gap-1.5">
        {variables.map((name) => (
          <button
            key={name}
            type="button"
            aria-label={`Insert ${name}`}
            onClick={() => insert(name)}
            className="rounded-md border border-line bg-sunken px-1.5 py-0.5 font-mono text-xs text-muted hover:text-text"
          >
            {`{${name}}`}
          </button>
        ))}
      </div>
      <div className="flex flex-wrap gap-x-4 gap-y-1 text-[13px]">
        {examples.map(({ label, template }) => (
          <button
            key={label}
            type="button"
            onClick={() => onChange(template)}
            className="font-medium text-accent-strong hover:underline"
          >
            {label}
          </button>
        ))}
      </div>
    </div>
  );
}
