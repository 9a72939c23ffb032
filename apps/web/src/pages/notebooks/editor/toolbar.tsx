import { Bold, Italic, Link2, ListTodo, Paperclip, Table } from 'lucide-react';
import { type ReactNode, useRef } from 'react';

import { IconButton } from '../../../ui/button.tsx';
import type { NoteController } from './note-controller.ts';
import { insertLink, insertTable, toggleBold, toggleItalic, toggleTask } from './write/markdown-commands.ts';

const tools = [
  { label: 'Bold (Ctrl B)', icon: Bold, command: toggleBold },
  { label: 'Italic (Ctrl I)', icon: Italic, command: toggleItalic },
  { label: 'Link (Ctrl K)', icon: Link2, command: insertLink },
  { label: 'Task, done or not (Ctrl Enter)', icon: ListTodo, command: toggleTask },
  { label: 'Table', icon: Table, command: insertTable },
] as const;

export function Toolbar({ controller }: { readonly controller: NoteController }): ReactNode {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <div role="group" aria-label="Format" className="flex flex-wrap">
      {tools.map(({ label, icon: Icon, command }) => (
        <IconButton key={label} label={label} onClick={() => controller.run(command)}>
          <Icon className="size-4" aria-hidden />
        </IconButton>
      ))}
      <IconButton label="Attach a file" onClick={() => picker.current?.click()}>
        <Paperclip className="size-4" aria-hidden />
      </IconButton>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        aria-label="Files to attach"
        onChange={({ target }) => {
          controller.attach([...(target.files ?? [])]);
          target.value = '';
        }}
      />
    </div>
  );
}
