import { MergeView } from '@codemirror/merge';
import { EditorState, type Extension, type Text } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { type ReactNode, useEffect, useRef, useState } from 'react';

import { complain } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import type { NoteController } from './note-controller.ts';
import { commonExtensions } from './write/extensions.ts';

interface ConflictViewProps {
  readonly controller: NoteController;
  readonly theirs: Text;
}

/**
 * Both versions of a note that was changed in two places, side by side. The version that the user does not choose
 * stays in the history.
 */
export function ConflictView({ controller, theirs }: ConflictViewProps): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  const [isEdited, setEdited] = useState(false);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    if (place.current === null) return undefined;
    const made = new MergeView({
      parent: place.current,
      a: { doc: theirs, extensions: [...side('Their version'), EditorState.readOnly.of(true)] },
      b: {
        doc: controller.text,
        extensions: [
          ...side('Your version'),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (!docChanged) return;
            setEdited(true);
            controller.replaceText(state.doc);
          }),
        ],
      },
      revertControls: 'a-to-b',
      collapseUnchanged: { margin: 3, minSize: 8 },
      renderRevertControl: takeButton,
    });
    return () => made.destroy();
  }, [controller, theirs]);

  const decide = async (choice: 'mine' | 'theirs'): Promise<void> => {
    setBusy(true);
    try {
      await controller.session.decide(choice);
    } catch (error) {
      complain('Could not save both versions in the history', error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <section aria-labelledby="note-conflict" className="grid min-h-0 gap-3 p-4">
      <div role="alert">
        <h3 id="note-conflict" className="font-semibold">
          This note was changed in two places
        </h3>
        <p className="text-muted">
          The left side is the version on the server; the right side is yours. Edit the right side, or copy parts with
          the arrows. The version that you do not keep stays in the history.
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" isBusy={isBusy} onClick={() => void decide('mine')}>
          {isEdited ? 'Save the right side' : 'Keep my version'}
        </Button>
        <Button isBusy={isBusy} onClick={() => void decide('theirs')}>
          Use their version
        </Button>
      </div>
      <div ref={place} className="note-merge" />
    </section>
  );
}

function side(label: string): readonly Extension[] {
  return [...commonExtensions, EditorView.contentAttributes.of({ 'aria-label': label })];
}

function takeButton(): HTMLElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = '→';
  button.title = 'Copy this part to the right';
  button.setAttribute('aria-label', button.title);
  return button;
}
