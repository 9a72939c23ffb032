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
      aria-label="Edit the task"
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
        onChange={({ target }) => editor.change({ text: target.value })}
      />
      <Field
        label="Tags, with commas between"
        dir="auto"
        value={tags}
        onChange={({ target }) => editor.change({ tags: target.value })}
      />
      {theirs !== undefined && <Conflict draft={draft} />}
      <div className="flex flex-wrap justify-end gap-2">
        <Button size="small" onClick={editor.cancel}>
          {theirs === undefined ? 'Cancel' : theirs === null ? 'Leave it deleted' : 'Keep theirs'}
        </Button>
        <Button type="submit" size="small" look="primary" isBusy={editor.isSaving} disabled={text.trim() === ''}>
          {theirs === undefined ? 'Save' : theirs === null ? 'Add it again' : 'Save mine instead'}
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
        {theirs ? 'Somebody else changed this task meanwhile.' : 'Somebody else deleted this task meanwhile.'}
      </p>
      {theirs && (
        <>
          <p className="text-[13px]">Nothing was saved yet. What yours would make of theirs:</p>
          <DiffView
            label="Theirs and yours"
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
