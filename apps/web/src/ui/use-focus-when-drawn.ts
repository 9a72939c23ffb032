import { useLayoutEffect, useRef } from 'react';

interface Wanted<Name> {
  readonly name: Name;
  /** The element that had the focus when the request was made. */
  readonly from: Element | null;
}

/**
 * Focuses an element that may not be rendered yet, such as a distant row of a long list. Waits until it is rendered,
 * unless the focus moves elsewhere.
 */
export function useFocusWhenDrawn<Name>(find: (name: Name) => HTMLElement | null | undefined): (name: Name) => void {
  const wanted = useRef<Wanted<Name>>(undefined);
  const focusWanted = (): void => {
    if (wanted.current === undefined) return;
    const { name, from } = wanted.current;
    const drawn = find(name);
    const { activeElement } = document;
    // A focused element that scrolls out of sight is removed, which moves the focus to the body.
    const wentElsewhere = activeElement !== from && activeElement !== document.body;
    if (drawn && !wentElsewhere) drawn.focus({ preventScroll: true });
    if (drawn || wentElsewhere) wanted.current = undefined;
  };
  // After every render, because any of them may add it.
  useLayoutEffect(focusWanted);
  return (name) => {
    wanted.current = { name, from: document.activeElement };
    focusWanted();
  };
}
