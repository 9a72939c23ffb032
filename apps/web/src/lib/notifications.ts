import { readStored, removeStored, writeStored } from './storage.ts';
import { createStore } from './store.ts';
import { complain } from './toasts.ts';

type State = 'on' | 'off' | 'unsupported';

const KEY = 'holdfast.notifications';

function initialState(): State {
  if (!('Notification' in globalThis)) return 'unsupported';
  return Notification.permission === 'granted' && readStored(KEY) === 'on' ? 'on' : 'off';
}

/** Whether this browser shows a notification when something new waits in the inbox. */
export const notificationState = createStore<State>(initialState());

export async function toggleNotifications(): Promise<void> {
  if (notificationState.get() === 'on') {
    removeStored(KEY);
    notificationState.set('off');
    return;
  }
  if ((await Notification.requestPermission()) === 'granted') {
    writeStored(KEY, 'on');
    notificationState.set('on');
  } else {
    complain('Could not turn on notifications', new Error('Allow notifications for this site in the browser.'));
  }
}

/**
 * Shows a notification, unless the user is looking at the dashboard. It replaces an earlier notification with the same
 * `tag`.
 */
export function notify(title: string, { body, tag }: { readonly body: string; readonly tag: string }): void {
  if (notificationState.get() !== 'on' || document.visibilityState === 'visible') return;
  const shown = new Notification(title, { body, tag, icon: '/favicon.svg' });
  shown.addEventListener('click', () => {
    window.focus();
    shown.close();
  });
}
