import { useLayoutEffect, useRef } from 'react';

/**
 * Focuses an element that may not be rendered yet, such as a distant row of a long list. Waits until it is rendered,
 * unless the user moves the focus before that.
 */
export function useFocusWhenRendered<Name>(find: (name: Name) => HTMLElement | null | undefined): (name: Name) => void {
  const request = useRef<{ readonly name: Name; readonly from: Element | null }>(undefined);
  const focusRequested = (): void => {
    if (request.current === undefined) return;
    // `from` is the element that had the focus when the request was made.
    const { name, from } = request.current;
    const element = find(name);
    const { activeElement } = document;
    // If the focused element is scrolled out of view, it is removed, and the focus moves to the body.
    const wentElsewhere = activeElement !== from && activeElement !== document.body;
    if (element && !wentElsewhere) element.focus({ preventScroll: true });
    if (element || wentElsewhere) request.current = undefined;
  };
  // Runs after every render, because any render may add the element.
  useLayoutEffect(focusRequested);
  return (name) => {
    request.current = { name, from: document.activeElement };
    focusRequested();
  };
}
