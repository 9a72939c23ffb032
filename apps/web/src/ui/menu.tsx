import type { LucideIcon } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';

export interface MenuItem {
  readonly label: string;
  readonly icon: LucideIcon;
  /** Keyboard shortcut of the same action. */
  readonly hint?: string;
  readonly isDanger?: boolean;
  readonly run: () => void;
}

export interface MenuPosition {
  readonly x: number;
  readonly y: number;
}

interface MenuProps {
  readonly label: string;
  /** Position of the menu's corner; undefined if the menu is closed. */
  readonly at: MenuPosition | undefined;
  readonly items: readonly MenuItem[];
  readonly onClose: () => void;
}

const EDGE = 8;

/** A context menu. Arrow keys select an item; Escape closes the menu and restores the focus. */
export function Menu({ at, ...rest }: MenuProps): ReactNode {
  return at === undefined ? null : createPortal(<Popup at={at} {...rest} />, document.body);
}

function Popup({ label, at, items, onClose }: MenuProps & { readonly at: MenuPosition }): ReactNode {
  const popup = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = popup.current;
    if (element === null) return;
    const { width, height } = element.getBoundingClientRect();
    element.style.left = `${Math.max(EDGE, Math.min(at.x, window.innerWidth - width - EDGE))}px`;
    element.style.top = `${Math.max(EDGE, Math.min(at.y, window.innerHeight - height - EDGE))}px`;
  }, [at]);
  useEffect(() => {
    const before = document.activeElement;
    popup.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus({ preventScroll: true });
    const onDown = (event: PointerEvent): void => {
      if (!(event.target instanceof Node && popup.current?.contains(event.target) === true)) onClose();
    };
    window.addEventListener('pointerdown', onDown, true);
    return () => {
      window.removeEventListener('pointerdown', onDown, true);
      // If another element, such as a dialog, has received the focus since then, it keeps the focus.
      if (before instanceof HTMLElement && document.activeElement === document.body)
        before.focus({ preventScroll: true });
    };
  }, [onClose]);
  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation();
    const choices = [...(popup.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
    const now = choices.indexOf(document.activeElement as HTMLElement);
    const next = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: choices.length - 1 }[event.key];
    if (next !== undefined) choices[(next + choices.length) % choices.length]?.focus();
    else if (event.key === 'Escape' || event.key === 'Tab') onClose();
    else return;
    event.preventDefault();
  };
  return (
    <div
      ref={popup}
      role="menu"
      aria-label={label}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      className="fixed z-50 grid min-w-48 rounded-xl border border-line bg-raised p-1.5 shadow-xl"
    >
      {items.map((item) => (
        <button
          key={item.label}
          type="button"
          role="menuitem"
          tabIndex={-1}
          onClick={() => {
            onClose();
            item.run();
          }}
          className={`flex h-9 items-center gap-3 rounded-lg px-2.5 text-left -outline-offset-2 hover:bg-sunken ${item.isDanger === true ? 'text-bad' : ''}`}
        >
          <item.icon className={`size-4 ${item.isDanger === true ? '' : 'text-muted'}`} aria-hidden />
          <span className="flex-1">{item.label}</span>
          {item.hint !== undefined && <kbd className="pl-4 font-sans text-xs text-muted">{item.hint}</kbd>}
        </button>
      ))}
    </div>
  );
}
