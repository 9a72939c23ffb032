import { useNavigate } from '@tanstack/react-router';
import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react';

import { complain } from '../../../../lib/toasts.ts';
import { textOf } from '../../search/search-filters.ts';
import type { NoteController } from '../note-controller.ts';
import { findFile, imageFinder } from './notebook-files.ts';
import { PreviewPane } from './preview-pane.ts';

interface PreviewProps {
  readonly controller: NoteController;
  readonly notebookId: string;
  readonly notePath: string;
}

export function Preview({ controller, notebookId, notePath }: PreviewProps): ReactNode {
  const root = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();
  useEffect(() => {
    if (root.current === null) return undefined;
    const place = { notebookId, notePath, imageUrl: imageFinder(notebookId, notePath) };
    const pane = new PreviewPane(root.current, place);
    pane.show(controller.text, true);
    const forget = controller.onText((text) => pane.show(text));
    return () => {
      forget();
      pane.destroy();
    };
  }, [controller, notebookId, notePath]);

  const openFile = async (path: string, isWiki: boolean): Promise<void> => {
    const file = await findFile(notebookId, notePath, path, isWiki);
    if (file === undefined) complain('Could not open the note', new Error(`${path} does not exist in this notebook`));
    else await navigate({ to: '/notebooks/$id/files/$file', params: { id: notebookId, file: file.id } });
  };
  const onClick = (event: MouseEvent<HTMLDivElement>): void => {
    if (!(event.target instanceof Element)) return;
    if (event.target instanceof HTMLInputElement) {
      if (!controller.toggleTask(event.target, event.currentTarget)) event.preventDefault();
      return;
    }
    const link = event.target.closest('a');
    const { path, wiki, heading, footnote, tag } = link?.dataset ?? {};
    if ([path, heading, footnote, tag].every((each) => each === undefined)) return;
    event.preventDefault();
    if (path !== undefined) void openFile(path, wiki === 'true');
    else if (tag !== undefined)
      void navigate({ to: '/notebooks/$id/search', params: { id: notebookId }, search: { tag: textOf([tag]) } });
    else if (footnote !== undefined) footnoteOf(event.currentTarget, footnote)?.scrollIntoView({ block: 'center' });
    else headingNamed(event.currentTarget, heading ?? '')?.scrollIntoView({ block: 'start' });
  };
  return (
    // Focusable, so that users can scroll the preview by keyboard.
    <div ref={root} role="region" aria-label="Preview" tabIndex={0} onClick={onClick} className="note-preview" />
  );
}

function footnoteOf(root: ParentNode, label: string): Element | undefined {
  return [...root.querySelectorAll('div[data-footnote]')].find((each) => each.getAttribute('data-footnote') === label);
}

/** Finds the block `^id`, or a heading by its slug, so that `a-heading` matches `A Heading`. */
function headingNamed(root: ParentNode, name: string): Element | undefined {
  const block = name.startsWith('^') ? name.slice(1) : undefined;
  if (block !== undefined)
    return [...root.querySelectorAll('[data-block]')].find((each) => each.getAttribute('data-block') === block);
  const headings = [...root.querySelectorAll('[data-heading]:not(a)')];
  const find = (key: (text: string) => string): Element | undefined =>
    headings.find((each) => key(each.getAttribute('data-heading') ?? '') === key(name));
  // Obsidian replaces punctuation with a space: `R D` names the heading `R&D`.
  return find(slug) ?? find((text) => slug(text).replaceAll('-', ''));
}

function slug(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s-]/gu, '')
    .replaceAll(/\s+/gu, '-');
}
