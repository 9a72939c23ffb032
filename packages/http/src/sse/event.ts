/** One thing that happened. `id` is where a listener goes on from; it means something to the feed alone. */
export interface StreamEvent {
  readonly id: string;
  readonly event: string;
  /** Anything that JSON can carry. */
  readonly data: unknown;
}

const encoder = new TextEncoder();
const frames = new WeakMap<StreamEvent, Uint8Array>();

export const HEARTBEAT: Uint8Array = encoder.encode(': \n\n');

/** An event as bytes, made once however many listeners get it. */
export function frameOf(event: StreamEvent): Uint8Array {
  const known = frames.get(event);
  if (known !== undefined) return known;
  const name = oneLine(event.event);
  // JSON has no line breaks of its own, so one data line is enough.
  const frame = encoder.encode(
    `id: ${oneLine(event.id)}\nevent: ${name}\ndata: ${JSON.stringify(event.data ?? null)}\n\n`,
  );
  frames.set(event, frame);
  return frame;
}

/** Tells where the listener stands without an event: browsers keep the id and show nothing to the page. */
export function positionFrame(id: string): Uint8Array {
  return encoder.encode(`id: ${oneLine(id)}\n\n`);
}

/** The first bytes: how long to wait before connecting again, and where the listener stands. */
export function openingFrame(retryMs: number, since: string): Uint8Array {
  return encoder.encode(`retry: ${retryMs}\nid: ${oneLine(since)}\n\n`);
}

/** A line break in an id or a name would begin another field. */
function oneLine(text: string): string {
  return text.replace(/[\r\n\0]/g, ' ');
}
