import { Plus } from 'lucide-react';
import { type ReactNode, type Ref, useState } from 'react';

import { utaskApi } from '../../api/clients.ts';
import { useAction } from '../../api/use-action.ts';
import { randomKey } from '../../lib/random-key.ts';
import { Button } from '../../ui/button.tsx';
import { controlClass, Form } from '../../ui/field.tsx';
import { tagAtEnd, withTag } from './complete-tag.ts';
import { type Entry, parseEntry } from './parse-entry.ts';
import { TagSuggestions, useTagSuggestions } from './tag-suggestions.tsx';
import { applyOwn } from './task-stream.ts';

/** Creates a task from one line. After a failure, the text stays; sending it again does not create a second task. */
export function QuickAdd({ input }: { readonly input: Ref<HTMLInputElement> }): ReactNode {
  const [line, setLine] = useState('');
  const [key, setKey] = useState(randomKey);
  const entry = parseEntry(line);
  const change = (next: string): void => {
    setLine(next);
    // A different text is a new task, so it gets a new idempotency key.
    setKey(randomKey());
  };
  const typed = tagAtEnd(line);
  const { onKeyDown: completeTag, ...suggestions } = useTagSuggestions(typed, (tag) => {
    if (typed !== undefined) change(withTag(line, typed, tag));
  });
  const add = useAction<Entry>({
    failed: 'Could not add the task',
    run: async ({ text, tags }) => {
      const { data } = await utaskApi.POST('/tasks', { body: { text, tags: [...tags] }, idempotencyKey: key });
      applyOwn({ id: data.id, task: data });
      setLine('');
      setKey(randomKey());
    },
  });
  return (
    <Form
      className="grid gap-1.5"
      onSubmit={() => {
        if (entry.text !== '' && !add.isPending) add.mutate(entry);
      }}
    >
      <div className="flex gap-2">
        <input
          ref={input}
          dir="auto"
          aria-label="New task"
          aria-describedby="new-task-help"
          placeholder="What needs to be done? #tag"
          className={controlClass}
          value={line}
          maxLength={10_000}
          onChange={({ target }) => change(target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') event.currentTarget.blur();
            completeTag(event);
          }}
        />
        <Button type="submit" variant="primary" icon={Plus} isBusy={add.isPending} disabled={entry.text === ''}>
          Add task
        </Button>
      </div>
      <TagSuggestions {...suggestions} />
      <p id="new-task-help" className="text-[13px] text-muted">
        {entry.tags.length === 0
          ? 'Add tags with #tag or #"two words".'
          : `Tagged ${entry.tags.map((tag) => `#${tag}`).join(' ')}`}
      </p>
    </Form>
  );
}
