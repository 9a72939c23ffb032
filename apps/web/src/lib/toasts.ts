import { type Reason, reasonOf } from './error-reason.ts';
import { createStore } from './store.ts';

export interface Toast {
  readonly id: number;
  readonly tone: 'good' | 'bad';
  readonly title: string;
  readonly reason?: Reason;
  readonly action?: ToastAction | undefined;
}

export interface ToastAction {
  readonly label: string;
  readonly run: () => void;
}

const SHOWN_MS = 5_000;
/** Long enough to notice a mistake and click the button. */
const WITH_ACTION_MS = 10_000;
const MOST = 4;
let lastId = 0;

export const toasts = createStore<readonly Toast[]>([]);

export function dismiss(id: number): void {
  toasts.set(toasts.get().filter((toast) => toast.id !== id));
}

function show(toast: Omit<Toast, 'id'>): number {
  lastId += 1;
  toasts.set([...toasts.get(), { ...toast, id: lastId }].slice(-MOST));
  return lastId;
}

export function say(title: string, action?: ToastAction): void {
  const id = show({ tone: 'good', title, action });
  setTimeout(() => dismiss(id), action === undefined ? SHOWN_MS : WITH_ACTION_MS);
}

/** Runs the undo action of the newest toast that offers one. */
export function undoLast(): void {
  const toast = toasts.get().findLast(({ action }) => action?.label === 'Undo');
  if (toast === undefined) return;
  dismiss(toast.id);
  toast.action?.run();
}

/** Shows a failure until the user dismisses it, so that nobody misses it. */
export function complain(doing: string, error: unknown): void {
  withdraw(doing);
  show({ tone: 'bad', title: doing, reason: reasonOf(error) });
}

/** Removes the toast about an earlier failure after a retry has succeeded. */
export function withdraw(doing: string): void {
  toasts.set(toasts.get().filter(({ tone, title }) => tone !== 'bad' || title !== doing));
}
