import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import { type NoteSearch, propertiesQuery, tagsQuery } from '../../../api/codex-queries.ts';
import { count } from '../../../lib/format.ts';
import type { Filters } from '../../../lib/filters.ts';
import { Button } from '../../../ui/button.tsx';
import { Choice, controlClass, Field } from '../../../ui/field.tsx';
import { Form } from '../../../ui/form.tsx';
import { textOf } from './search-filters.ts';

interface FilterBarProps {
  readonly id: string;
  readonly search: NoteSearch;
  readonly onChange: (filters: Filters) => void;
}

/** Filters for a search: tags and properties of the notebook, a folder, dates. */
export function FilterBar({ id, search, onChange }: FilterBarProps): ReactNode {
  const { data: tags = [] } = useQuery(tagsQuery(id));
  const left = tags.filter(({ tag }) => !search.tags.includes(tag));
  return (
    <details className="rounded-xl border border-line bg-surface px-4 py-2.5">
      <summary className="text-[13px] font-medium">Filter by tag, property, folder or time</summary>
      <div className="mt-3 grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
        <Choice
          label="Tag"
          value=""
          options={[
            { value: '', label: left.length === 0 ? 'No more tags' : 'Any' },
            ...left.map(({ tag, count: notes }) => ({ value: tag, label: `#${tag} (${count(notes)})` })),
          ]}
          onChange={(tag) => onChange({ tag: textOf([...search.tags, tag].filter((each) => each !== '')) })}
        />
        <Field label="Folder" value={search.path} placeholder="Anywhere" onChange={(path) => onChange({ path })} />
        <Field label="Changed since" type="date" value={search.after} onChange={(after) => onChange({ after })} />
        <Field label="Changed until" type="date" value={search.before} onChange={(before) => onChange({ before })} />
        <PropertyFilter id={id} search={search} onChange={onChange} />
      </div>
    </details>
  );
}

function PropertyFilter({ id, search, onChange }: FilterBarProps): ReactNode {
  const { data: properties = [] } = useQuery(propertiesQuery(id));
  const [key, setKey] = useState('');
  const [value, setValue] = useState('');
  if (properties.length === 0) return null;
  return (
    <Form
      className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] items-end gap-2 sm:col-span-2"
      onSubmit={() => {
        if (key === '' || value === '') return;
        onChange({ property: textOf([...search.properties, `${key}:${value}`]) });
        setValue('');
      }}
    >
      <Choice
        label="Property"
        value={key}
        options={[
          { value: '', label: 'Select' },
          ...properties.map((each) => ({ value: each.key, label: `${each.key} (${count(each.count)})` })),
        ]}
        onChange={setKey}
      />
      <input
        aria-label="Property value"
        placeholder="Value"
        className={controlClass}
        value={value}
        onChange={({ target }) => setValue(target.value)}
      />
      <Button type="submit">Add filter</Button>
    </Form>
  );
}
