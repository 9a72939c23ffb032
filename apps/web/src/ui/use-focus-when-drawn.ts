import { useLayoutEffect, useRef } from 'react';

interface Wanted<Name> {
  readonly name: Name;
  /** Where the focus was when it was asked for. */
  readonly from: Element | null;
}

/**
 * Gives something the focus that is perhaps not drawn yet: what was far away in a long list, or comes with its list, is
 * drawn some time later. The focus waits for it however long that takes, unless it goes elsewhere meanwhile.
 */
export function useFocusWhenDrawn<Name>(find: (name: Name) => HTMLElement | null | undefined): (name: Name) => void {
  const wanted = useRef<Wanted<Name>>(undefined);
  const focusWanted = (): void => {
    if (wanted.current === undefined) return;
    const { name, from } = wanted.current;
    const drawn = find(name);
    const { activeElement } = document;
    // What had the focus is gone when it was scrolled away; the page as a whole has it then.
    const wentElsewhere = activeElement !== from && activeElement !== document.body;
    if (drawn && !wentElsewhere) drawn.focus({ preventScroll: true });
    if (drawn || wentElsewhere) wanted.current = undefined;
  };
  // After every drawing: which of them brings it is not known beforehand.
  useLayoutEffect(focusWanted);
  return (name) => {
    wanted.current = { name, from: document.activeElement };
    focusWanted();
  };
}
