import { TriangleAlert } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';

import { Button } from '../../ui/button.tsx';
import { DiffView } from '../../ui/diff-view.tsx';
import { Field, TextArea } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { parseTags } from './parse-entry.ts';
import type { Draft, Editor } from './use-editor.ts';

const LINES_MAX = 12;

/** Replaces the row. Enter saves, Shift+Enter adds a line, Escape cancels. */
export function TaskEditor({ editor, draft }: { readonly editor: Editor; readonly draft: Draft }): ReactNode {
  const { text, tags, theirs } = draft;
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
      />
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
          <p className="text-[13px]">Not saved yet. Your version compared with theirs:</p>
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
