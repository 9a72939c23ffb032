import { useLayoutEffect, useRef } from 'react';

/**
 * Focuses an element that may not be rendered yet, such as a distant row of a long list. Waits until it is rendered,
 * unless the focus moves elsewhere.
 */
export function useFocusWhenRendered<Name>(find: (name: Name) => HTMLElement | null | undefined): (name: Name) => void {
  const request = useRef<{ readonly name: Name; readonly from: Element | null }>(undefined);
  const focusRequested = (): void => {
    if (request.current === undefined) return;
    // `from` had the focus when the request was made.
    const { name, from } = request.current;
    const element = find(name);
    const { activeElement } = document;
    // A focused element that scrolls out of sight is removed, which moves the focus to the body.
    const wentElsewhere = activeElement !== from && activeElement !== document.body;
    if (element && !wentElsewhere) element.focus({ preventScroll: true });
    if (element || wentElsewhere) request.current = undefined;
  };
  // After every render, because any of them may add it.
  useLayoutEffect(focusRequested);
  return (name) => {
    request.current = { name, from: document.activeElement };
    focusRequested();
  };
}
