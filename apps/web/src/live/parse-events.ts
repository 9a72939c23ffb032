export interface LiveEvent {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: string;
}

/** Parses server-sent events from arbitrary chunks of text. An event without data only updates the position. */
export function eventParser(onEvent: (event: LiveEvent) => void): (text: string) => void {
  let rest = '';
  return (text) => {
    rest += text;
    for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
      const block = rest.slice(0, end);
      rest = rest.slice(end + 2);
      onEvent(parseBlock(block));
    }
  };
}

function parseBlock(block: string): LiveEvent {
  let id: string | undefined;
  let event = 'message';
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const at = line.indexOf(':');
    const name = at < 0 ? line : line.slice(0, at);
    const value = at < 0 ? '' : line.slice(at + 1).replace(/^ /, '');
    if (name === 'id') id = value;
    if (name === 'event') event = value;
    if (name === 'data') data.push(value);
  }
  return { id, event, data: data.join('\n') };
}
