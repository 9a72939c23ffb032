import { TriangleAlert } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';

import { Button } from '../../ui/button.tsx';
import { DiffView } from '../../ui/diff-view.tsx';
import { Choice, Field, Form, TextArea } from '../../ui/field.tsx';
import { tagInList, withListedTag } from './complete-tag.ts';
import { parseTags } from './parse-entry.ts';
import { TagSuggestions, useTagSuggestions } from './tag-suggestions.tsx';
import type { Draft, Editor } from './use-tasks.ts';

const LINES_MAX = 12;

const DAY_LENGTH = 10;

const priorities = [
  { value: '0', label: 'None' },
  { value: '1', label: 'High' },
  { value: '2', label: 'Medium' },
  { value: '3', label: 'Low' },
] as const;

/** Edits a task in place of its row. Enter saves, Shift+Enter adds a line, Escape cancels. */
export function TaskEditor({ editor, draft }: { readonly editor: Editor; readonly draft: Draft }): ReactNode {
  const { text, tags, due, priority, theirs } = draft;
  const typed = tagInList(tags);
  const { onKeyDown: completeTag, ...suggestions } = useTagSuggestions(typed, (tag) => {
    if (typed !== undefined) editor.change({ tags: withListedTag(tags, typed, tag) });
  });
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => area.current?.focus(), []);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') editor.cancel();
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    if (event.target instanceof HTMLButtonElement) return;
    event.preventDefault();
    editor.save();
  };
  return (
    <Form
      aria-label="Edit task"
      className="grid gap-3 bg-sunken px-4 py-4"
      onKeyDown={onKeyDown}
      onSubmit={() => editor.save()}
    >
      <TextArea
        label="Task"
        dir="auto"
        ref={area}
        rows={Math.min(LINES_MAX, text.split('\n').length)}
        value={text}
        onChange={(value) => editor.change({ text: value })}
      />
      <Field
        label="Tags, separated by commas"
        dir="auto"
        value={tags}
        onChange={(value) => editor.change({ tags: value })}
        onKeyDown={completeTag}
      />
      <TagSuggestions {...suggestions} />
      <div className="grid gap-3 sm:grid-cols-2">
        <Field
          label="Due"
          help={due.includes('T') ? 'This task is due at a time of day. A new date removes the time.' : undefined}
          type="date"
          value={due.slice(0, DAY_LENGTH)}
          onChange={(value) => editor.change({ due: value })}
        />
        <Choice
          label="Priority"
          value={priority}
          options={priorities}
          onChange={(value) => editor.change({ priority: value })}
        />
      </div>
      {theirs !== undefined && <Conflict draft={draft} />}
      <div className="flex flex-wrap justify-end gap-2">
        <Button size="small" onClick={editor.cancel}>
          {theirs === undefined ? 'Cancel' : theirs === null ? 'Discard my changes' : 'Keep their version'}
        </Button>
        <Button type="submit" size="small" variant="primary" isBusy={editor.isSaving} disabled={text.trim() === ''}>
          {theirs === undefined ? 'Save task' : theirs === null ? 'Add task again' : 'Save my version'}
        </Button>
      </div>
    </Form>
  );
}

function Conflict({ draft: { theirs, text, tags } }: { readonly draft: Draft }): ReactNode {
  return (
    <div role="alert" className="grid gap-2 rounded-lg bg-warn-soft p-3 text-warn">
      <p className="flex gap-2 font-medium">
        <TriangleAlert className="mt-0.5 size-4 shrink-0" aria-hidden />
        {theirs ? 'This task was changed elsewhere.' : 'This task was deleted elsewhere.'}
      </p>
      {theirs && (
        <>
          <p className="text-[13px]">Your change is not saved yet. Your version compared with the stored one:</p>
          <DiffView
            label="Their version and yours"
            before={whole(theirs.text, theirs.tags)}
            after={whole(text, parseTags(tags))}
          />
        </>
      )}
    </div>
  );
}

function whole(text: string, tags: readonly string[]): string {
  return [text, tags.map((tag) => `#${tag}`).join(' ')].filter((line) => line !== '').join('\n');
}
