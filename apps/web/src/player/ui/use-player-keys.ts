import { useEffect } from 'react';

import { pageKeys } from '../../shell/page-keys.ts';
import { changeSpeed, goToChapter, skip, toggleMute } from '../engine/controls.ts';
import { togglePlay } from '../player.ts';

const actions: Readonly<Record<string, (isShifted: boolean) => void>> = {
  ' ': togglePlay,
  ArrowLeft: (isShifted) => (isShifted ? goToChapter(-1) : skip(-1)),
  ArrowRight: (isShifted) => (isShifted ? goToChapter(1) : skip(1)),
  '[': () => changeSpeed(-1),
  ']': () => changeSpeed(1),
  m: toggleMute,
};

/** Player shortcuts on every page, unless the focused element uses the key. */
export function usePlayerKeys(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const act = actions[event.key];
      if (act === undefined || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTaken(event)) return;
      event.preventDefault();
      act(event.shiftKey);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}

const WRITING = 'input:not([type=range]), textarea, select, [contenteditable]';
const PRESSED = 'button, a, summary, [role=button], [role=option], [role=checkbox], [role=switch], [tabindex="0"]';

function isTaken({ key, target }: KeyboardEvent): boolean {
  if (document.querySelector('[role=dialog]:not([data-player])') !== null) return true;
  if (!(target instanceof Element)) return false;
  if (target.closest(WRITING) !== null || pageKeys.get().some((each) => each.key === key)) return true;
  // Space presses buttons, and arrow keys move through lists.
  if (key === ' ') return target.closest(PRESSED) !== null;
  if (!key.startsWith('Arrow')) return false;
  return target.closest('[data-player]') === null && target.matches(`${PRESSED}, [role], input`);
}
