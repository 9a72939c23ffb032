import { style, type Text } from '@holdfast/cli';
import { describeEvent } from '../../model/describe-event.ts';
import type { Event } from '../../model/event.ts';

/** One event on one line; its reason, if it has one, on the next. */
export function eventLines(event: Event, sid?: string): readonly Text[] {
  const place = sid === undefined ? '' : style.dim(`${sid} `);
  const head: Text = [place, style.dim(`${String(event.seq).padStart(4)} ${event.at} `), oneLine(describeEvent(event))];
  return event.reason === null ? [head] : [head, style.dim(`       because ${oneLine(event.reason)}`)];
}

function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/gu, ' ');
}
