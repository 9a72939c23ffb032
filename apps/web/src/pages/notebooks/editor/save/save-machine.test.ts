import { describe, expect, it } from 'vitest';

import {
  type Action,
  begin,
  initialState,
  type Input,
  nextAction,
  type SaveState,
  step,
  type TextRules,
} from './save-machine.ts';

const rules: TextRules<string> = {
  same: (left, right) => left === right,
  // A simple merge that is sufficient for these cases: one side changes only the first letter, the other only the rest.
  merge: (base, mine, theirs) =>
    mine.slice(1) === base.slice(1) && theirs[0] === base[0] ? `${mine[0]}${theirs.slice(1)}` : undefined,
};

type Untimed<One> = One extends unknown ? Omit<One, 'at'> : never;

/** Sends inputs to the machine, and runs every action that is due right after them. */
class Play {
  state: SaveState<string> = initialState({ text: 'abc', hash: 'h1' });
  now = 1_000;

  give(input: Untimed<Input<string>>): this {
    this.state = step(this.state, { ...input, at: this.now }, rules);
    return this;
  }

  next(): Action<string> {
    const action = nextAction(this.state, this.now, rules);
    this.state = begin(this.state, action);
    return action;
  }

  after(ms: number): this {
    this.now += ms;
    return this;
  }
}

describe('when a note is sent', () => {
  it('after a moment of quiet, and after five seconds however busily somebody types', () => {
    const play = new Play().give({ type: 'typed', text: 'abcd' });
    expect(play.next()).toEqual({ type: 'wait', until: 1_800 });
    for (let n = 0; n < 12; n++) play.after(400).give({ type: 'typed', text: `abcd${n}` });
    expect(play.next()).toMatchObject({ type: 'wait', until: 6_000 });
    expect(play.after(200).next()).toMatchObject({ type: 'send', sending: { text: 'abcd11', baseHash: 'h1' } });
  });

  it('at once when somebody asks, and not at all when nothing has changed', () => {
    const play = new Play().give({ type: 'save-now' });
    expect(play.next()).toEqual({ type: 'rest' });
    play.give({ type: 'typed', text: 'x' });
    expect(play.next().type).toBe('wait');
    expect(play.give({ type: 'save-now' }).next().type).toBe('send');
  });

  it('again later with what was typed meanwhile, made for the version that was saved', () => {
    const play = new Play().give({ type: 'typed', text: 'one' }).give({ type: 'save-now' });
    play.next();
    play.give({ type: 'typed', text: 'one two' });
    expect(play.next()).toEqual({ type: 'rest' });
    play.give({ type: 'saved', hash: 'h2', eventId: 7 });
    expect(play.after(900).next()).toMatchObject({ sending: { text: 'one two', baseHash: 'h2', number: 2 } });
  });
});

describe('a server that does not answer', () => {
  it('gets the very same request again, also when more was typed since', () => {
    const play = new Play().give({ type: 'typed', text: 'one' }).give({ type: 'save-now' });
    play.next();
    play.give({ type: 'typed', text: 'one two' });
    play.give({ type: 'failed', failure: { error: 'away', isTemporary: true }, isUnsure: true });
    expect(play.next()).toEqual({ type: 'wait', until: 1_500 });
    expect(play.after(500).next()).toMatchObject({ type: 'send', sending: { text: 'one', number: 1 } });
    play.give({ type: 'saved', hash: 'h2', eventId: 7 });
    expect(play.after(900).next()).toMatchObject({ type: 'send', sending: { text: 'one two', number: 2 } });
  });

  it('is tried at once when the stream speaks again', () => {
    const play = new Play().give({ type: 'typed', text: 'one' }).give({ type: 'save-now' });
    play.next();
    for (let n = 0; n < 5; n++) {
      play
        .give({ type: 'failed', failure: { error: 'away', isTemporary: true }, isUnsure: true })
        .after(10_000)
        .next();
    }
    play.give({ type: 'failed', failure: { error: 'away', isTemporary: true }, isUnsure: true });
    expect(play.next()).toEqual({ type: 'wait', until: play.now + 4_000 });
    expect(play.give({ type: 'told', hash: undefined }).next().type).toBe('send');
  });

  it('and one that refuses for good is not asked again before something changes', () => {
    const play = new Play().give({ type: 'typed', text: 'one' }).give({ type: 'save-now' });
    play.next();
    play.give({ type: 'failed', failure: { error: 'too long', isTemporary: false }, isUnsure: false });
    expect(play.after(60_000).next()).toEqual({ type: 'rest' });
    expect(play.give({ type: 'typed', text: 'on' }).after(900).next()).toMatchObject({ sending: { text: 'on' } });
  });
});

describe('a change from outside', () => {
  it('is taken over when nothing is unsaved', () => {
    const play = new Play().give({ type: 'told', hash: 'h2' });
    expect(play.next()).toEqual({ type: 'read' });
    play.give({ type: 'read', version: { text: 'new', hash: 'h2' } });
    expect(play.state).toMatchObject({ text: 'new', base: { hash: 'h2' } });
    expect(play.after(60_000).next()).toEqual({ type: 'rest' });
  });

  it('is no news when it is what this page has just saved', () => {
    const play = new Play().give({ type: 'typed', text: 'one' }).give({ type: 'save-now' });
    play.next();
    play.give({ type: 'told', hash: 'h2' }).give({ type: 'saved', hash: 'h2', eventId: 1 });
    expect(play.next()).toEqual({ type: 'rest' });
  });

  it('is merged with what is unsaved, and the result is sent for their version', () => {
    const play = new Play().give({ type: 'typed', text: 'Xbc' }).give({ type: 'told', hash: 'h2' });
    play.next();
    play.give({ type: 'read', version: { text: 'abYY', hash: 'h2' } });
    expect(play.state.text).toBe('XbYY');
    expect(play.after(900).next()).toMatchObject({ sending: { text: 'XbYY', baseHash: 'h2', isOnForeign: true } });
  });

  it('waits for a person when it cannot be merged; nothing is sent and no text changes until then', () => {
    const play = new Play().give({ type: 'typed', text: 'mine' }).give({ type: 'save-now' });
    play.next();
    play.give({ type: 'refused' });
    expect(play.next()).toEqual({ type: 'read' });
    play.give({ type: 'read', version: { text: 'theirs', hash: 'h2' } });
    expect(play.state).toMatchObject({ text: 'mine', conflict: { text: 'theirs' } });
    expect(play.after(60_000).next()).toEqual({ type: 'rest' });
    play.give({ type: 'decided', text: 'both' });
    expect(play.next()).toMatchObject({ sending: { text: 'both', baseHash: 'h2', isOnForeign: true } });
  });

  it('that the server has not looked at yet is asked for again after a pause', () => {
    const play = new Play().give({ type: 'typed', text: 'mine' }).give({ type: 'save-now' });
    play.next();
    play.give({ type: 'refused' }).next();
    play.give({ type: 'read', version: { text: 'abc', hash: 'h1' } });
    expect(play.next().type).toBe('wait');
    expect(play.after(2_000).next()).toMatchObject({ type: 'send', sending: { text: 'mine', number: 2 } });
  });
});
