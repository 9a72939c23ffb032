import { X } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';

import { codexApi } from '../../../api/clients.ts';
import type { NoteFile } from '../../../api/types.ts';
import { useAction } from '../../../api/use-action.ts';
import { useMay } from '../../../lib/permissions.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Choice, controlClass, Form } from '../../../ui/field.tsx';
import {
  kindOf,
  parseProperty,
  type PropertyKind,
  propertyKinds,
  type PropertyValue,
  formatProperty,
} from './property-value.ts';

type Change = { readonly set: Readonly<Record<string, PropertyValue>> } | { readonly unset: readonly string[] };

/** Edits the note's front matter in place; does not change the text of the note. */
export function Properties({ id, note }: { readonly id: string; readonly note: NoteFile }): ReactNode {
  const mayWrite = useMay('app:codex:write');
  const change = useAction<Change>({
    failed: 'Could not save the property',
    touches: ['codex'],
    async run(body) {
      const params = { notebook: id, file: note.id };
      await codexApi.PATCH('/notebooks/{notebook}/files/{file}/properties', {
        params,
        query: { wait: 30 },
        body: 'set' in body ? { set: { ...body.set } } : { unset: [...body.unset] },
        ifMatch: `"${note.hash}"`,
      });
    },
  });
  const names = Object.keys(note.properties);
  return (
    <DetailsPart title="Properties">
      {note.properties_error !== null && (
        <p className="rounded-lg bg-warn-soft p-2.5 break-words text-warn">
          Invalid front matter: {note.properties_error}
        </p>
      )}
      {names.length === 0 && note.properties_error === null && <p className="text-muted">No properties</p>}
      <ul className="grid gap-2">
        {names.map((name) => (
          <li key={name}>
            <Property
              // The value is the React key, so that a change made elsewhere creates a new field.
              key={formatProperty(note.properties[name])}
              name={name}
              value={note.properties[name]}
              mayWrite={mayWrite && note.properties_error === null}
              isBusy={change.isPending}
              onChange={change.mutate}
            />
          </li>
        ))}
      </ul>
      {mayWrite && note.properties_error === null && <AddProperty isBusy={change.isPending} onChange={change.mutate} />}
    </DetailsPart>
  );
}

interface PropertyProps {
  readonly name: string;
  readonly value: unknown;
  readonly mayWrite: boolean;
  readonly isBusy: boolean;
  readonly onChange: (change: Change) => void;
}

function Property({ name, value, mayWrite, isBusy, onChange }: PropertyProps): ReactNode {
  const kind = kindOf(value);
  if (!mayWrite || kind === 'other') {
    return (
      <div className="grid gap-0.5">
        <span className="text-muted">{name}</span>
        <span className="break-words">{formatProperty(value)}</span>
      </div>
    );
  }
  const take = (text: string): void => {
    const parsed = parseProperty(text, kind);
    if (parsed !== undefined && text !== formatProperty(value)) onChange({ set: { [name]: parsed } });
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-1">
      <span className="col-span-2 text-muted">{name}</span>
      <ValueField label={name} kind={kind} text={formatProperty(value)} onDone={take} />
      <IconButton icon={X} label={`Remove ${name}`} disabled={isBusy} onClick={() => onChange({ unset: [name] })} />
    </div>
  );
}

interface ValueFieldProps {
  readonly label: string;
  readonly kind: PropertyKind;
  readonly text: string;
  readonly onDone: (text: string) => void;
}

const types: Readonly<Partial<Record<PropertyKind, string>>> = { number: 'number', date: 'date' };

/** Saves the value on Enter and when the field loses the focus. Escape restores the old value. */
function ValueField({ label, kind, text, onDone }: ValueFieldProps): ReactNode {
  if (kind === 'boolean') {
    return (
      <label className="flex h-9 items-center gap-2">
        <input type="checkbox" checked={text === 'true'} onChange={({ target }) => onDone(String(target.checked))} />
        <span>{text === 'true' ? 'Yes' : 'No'}</span>
        <span className="sr-only">{label}</span>
      </label>
    );
  }
  return (
    <input
      aria-label={label}
      type={types[kind] ?? 'text'}
      step="any"
      defaultValue={text}
      placeholder={kind === 'list' ? 'one, two, three' : ''}
      className={controlClass}
      onBlur={({ target }) => onDone(target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') event.currentTarget.value = text;
        if (event.key === 'Enter' || event.key === 'Escape') event.currentTarget.blur();
      }}
    />
  );
}

interface AddPropertyProps {
  readonly isBusy: boolean;
  readonly onChange: (change: Change) => void;
}

function AddProperty({ isBusy, onChange }: AddPropertyProps): ReactNode {
  const [name, setName] = useState('');
  const [kind, setKind] = useState<Exclude<PropertyKind, 'other'>>('text');
  const [text, setText] = useState('');
  const parsed = parseProperty(text, kind);
  return (
    <details>
      <summary className="font-medium text-accent-strong">Add property</summary>
      <Form
        className="mt-2 grid gap-2"
        onSubmit={() => {
          if (name.trim() === '' || parsed === undefined) return;
          onChange({ set: { [name.trim()]: parsed } });
          setName('');
          setText('');
        }}
      >
        <input
          aria-label="Property name"
          placeholder="Name"
          required
          className={controlClass}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <Choice label="Kind" isLabelHidden value={kind} options={propertyKinds} onChange={setKind} />
        {kind === 'boolean' ? (
          <Choice
            label="Value"
            isLabelHidden
            value={text === 'true' ? 'true' : 'false'}
            options={[
              { value: 'true', label: 'Yes' },
              { value: 'false', label: 'No' },
            ]}
            onChange={setText}
          />
        ) : (
          <input
            aria-label="Property value"
            placeholder={kind === 'list' ? 'one, two, three' : 'Value'}
            type={types[kind] ?? 'text'}
            step="any"
            className={controlClass}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        )}
        <Button type="submit" size="small" isBusy={isBusy}>
          Add property
        </Button>
      </Form>
    </details>
  );
}

interface DetailsPartProps {
  readonly title: string;
  readonly count?: number;
  readonly children: ReactNode;
}

export function DetailsPart({ title, count, children }: DetailsPartProps): ReactNode {
  const id = useId();
  return (
    <section aria-labelledby={id} className="grid min-w-0 gap-2 border-t border-line pt-4 first:border-0 first:pt-0">
      <h2 id={id} className="flex items-baseline justify-between font-semibold">
        {title}
        {count !== undefined && <span className="font-normal text-muted tabular-nums">{count}</span>}
      </h2>
      {children}
    </section>
  );
}
