import { describe, expect, it } from 'vitest';

import { SlotLines } from './slot-lines.ts';

/**
 * Emulates a terminal with line breaks and two control sequences: move the cursor up, and erase everything below it.
 */
function terminal(): { readonly write: (text: string) => void; readonly rows: () => string[] } {
  let rows: string[] = [''];
  return {
    rows: () => rows.slice(0, -1),
    write(text) {
      for (const piece of text.replaceAll('\u001b[', '<').split(/(<\d+A|\r<J|\n)/)) {
        const up = /^<(\d+)A$/.exec(piece)?.[1];
        if (up !== undefined) rows = rows.slice(0, rows.length - Number(up));
        else if (piece === '\n') rows.push('');
        else if (piece === '\r<J') rows[rows.length - 1] = '';
        else rows[rows.length - 1] += piece;
      }
    },
  };
}

describe('the lines of the slots', () => {
  it('show each worker at the bottom, and what is over above', () => {
    const screen = terminal();
    const lines = new SlotLines({ write: screen.write, columns: 40 });
    lines.tell({ kind: 'started', slot: 2, task: 'bd-2', worker: 'w', text: 'attempt 1' });
    lines.tell({ kind: 'started', slot: 1, task: 'bd-1', worker: 'w', text: 'attempt 1' });
    expect(screen.rows()).toEqual(['[1] bd-1 w  attempt 1', '[2] bd-2 w  attempt 1']);
    lines.tell({ kind: 'checking', slot: 1, task: 'bd-1', text: 'Tests' });
    lines.tell({ kind: 'checking', slot: 1, task: 'bd-1', text: '\n' });
    expect(screen.rows()).toEqual(['[1] bd-1 w  Tests', '[2] bd-2 w  attempt 1']);
    lines.tell({ kind: 'ended', slot: 1, task: 'bd-1', worker: 'w', text: 'done' });
    expect(screen.rows()).toEqual(['bd-1 w: done', '[2] bd-2 w  attempt 1']);
    lines.finish();
    expect(screen.rows()).toEqual(['bd-1 w: done']);
  });

  it('fit where the width is not known', () => {
    const screen = terminal();
    new SlotLines({ write: screen.write, columns: 0 }).tell({
      kind: 'turn',
      slot: 1,
      task: 'bd-1',
      text: 'iteration 1',
    });
    expect(screen.rows()).toEqual(['[1] bd-1  iteration 1']);
  });

  it('let nothing that a worker prints move the cursor, and no line be longer than the terminal', () => {
    const screen = terminal();
    const lines = new SlotLines({ write: screen.write, columns: 20 });
    lines.tell({ kind: 'turn', slot: 1, task: 'bd-1', text: `a\u001b[2J\r${'x'.repeat(50)}` });
    expect(screen.rows()).toEqual(['[1] bd-1  a [2J xxx']);
  });
});
