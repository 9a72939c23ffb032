import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { type PlayerEvent, reduce } from './machine.ts';
import { positionOf, filePositionAt, type Timeline } from './timeline.ts';
import { type Effect, initialView, defaultTuning, type PlayerView, sleepAfter, sleepAtChapterEnd } from './view.ts';

const book = { id: 'b1', title: 'Emma', authors: [], narrators: [], cover: null, duration_ms: 60_000 };

function timelineOf(durations: readonly number[], generation: number = 1): Timeline {
  let start = 0;
  const segments = durations.map((duration, at) => {
    const segment = {
      id: `s${generation}-${at}`,
      start_ms: start,
      duration_ms: duration,
      format: 'mp3',
      content_type: 'audio/mpeg',
      url: `/s/${generation}/${at}`,
    };
    start += duration;
    return segment;
  });
  return { generation, duration_ms: start, segments, chapters: [] };
}

const timeline = timelineOf([30_000, 20_000, 10_000]);

/** A player with its own clock, and the effects of its last event. */
class Played {
  view: PlayerView = initialView(book, defaultTuning);
  effects: Effect[] = [];
  now = 0;

  after(event: PlayerEvent, afterMs: number = 0): this {
    this.now += afterMs;
    const { view, effects } = reduce(this.view, event, this.now);
    this.view = view;
    this.effects = [...effects];
    return this;
  }

  told(): readonly string[] {
    return this.effects.flatMap((effect) => (effect.type === 'report' ? [`${effect.event} ${effect.positionMs}`] : []));
  }

  did(kind: Effect['type']): Effect | undefined {
    return this.effects.find((effect) => effect.type === kind);
  }
}

function playing(at: number = 0): Played {
  return new Played().after({ type: 'opened', book, timeline, positionMs: at, isPlaying: true });
}

describe('a book that is played', () => {
  it('begins in the file of its place, at the place, and says so', () => {
    const player = playing(35_000);
    expect(player.did('load')).toEqual({ type: 'load', index: 1, offsetMs: 5_000, isPlaying: true });
    expect(player.told()).toEqual(['start 35000']);
    expect(player.view).toMatchObject({ status: 'playing', isWaiting: true });
    expect(player.after({ type: 'playing' }).view.isWaiting).toBe(false);
  });

  it('opens no connection before somebody wants to hear it', () => {
    const player = new Played().after({ type: 'opened', book, timeline, positionMs: 5_000, isPlaying: false });
    expect(player.effects).toEqual([{ type: 'unload' }]);
    expect(player.view.loaded).toBeUndefined();
    expect(player.after({ type: 'seek', toMs: 12_000 }).did('load')).toBeUndefined();
    expect(player.after({ type: 'play' }).did('load')).toMatchObject({ index: 0, offsetMs: 12_000 });
  });

  it('fetches the next file when the end of this one is near, and goes over to it', () => {
    const player = playing().after({ type: 'timeUpdate', offsetMs: 9_000 }, 9_000);
    expect(player.did('preload')).toBeUndefined();
    expect(player.after({ type: 'timeUpdate', offsetMs: 10_500 }, 1_500).did('preload')).toEqual({
      type: 'preload',
      index: 1,
    });
    expect(player.after({ type: 'timeUpdate', offsetMs: 11_000 }, 500).did('preload')).toBeUndefined();
    player.after({ type: 'ended' });
    expect(player.did('load')).toEqual({ type: 'load', index: 1, offsetMs: 0, isPlaying: true });
    expect(player.view.positionMs).toBe(30_000);
    expect(player.told()).toEqual([]);
  });

  it('tells where it is each 15 seconds of listening', () => {
    const player = playing();
    const told: string[] = [];
    for (let second = 1; second <= 29; second += 1) {
      told.push(...player.after({ type: 'timeUpdate', offsetMs: second * 1_000 }, 1_000).told());
    }
    expect(told).toEqual(['progress 15000']);
  });

  it('is over at its end, and begins again after it', () => {
    const player = playing(55_000).after({ type: 'ended' });
    expect(player.told()).toEqual(['complete 60000']);
    expect(player.did('finished')).toBeDefined();
    expect(player.view).toMatchObject({ status: 'paused', positionMs: 60_000 });
    player.after({ type: 'play' });
    expect(player.did('load')).toMatchObject({ index: 0, offsetMs: 0 });
    expect(player.told()).toEqual(['start 0']);
  });

  it('tells what was heard before a jump, and where the jump went', () => {
    const player = playing()
      .after({ type: 'timeUpdate', offsetMs: 4_000 }, 4_000)
      .after({ type: 'seek', toMs: 52_000 });
    expect(player.told()).toEqual(['progress 4000', 'seek 52000']);
    expect(player.did('load')).toEqual({ type: 'load', index: 2, offsetMs: 2_000, isPlaying: true });
  });

  it('tells what was heard at the old speed before it takes the new one, within its bounds', () => {
    const player = playing().after({ type: 'timeUpdate', offsetMs: 4_000 }, 4_000).after({ type: 'tune', speed: 9 });
    expect(player.did('report')).toMatchObject({ event: 'progress', positionMs: 4_000, speed: 1 });
    expect(player.did('tune')).toMatchObject({ speed: 3.5 });
    expect(player.after({ type: 'tune', speed: 0.1 }).view.speed).toBe(0.5);
  });
});

describe('the sleep timer', () => {
  it('counts only what is listened to, grows quieter, and stops', () => {
    const player = playing().after({ type: 'sleep', sleep: sleepAfter(0.25) });
    player.after({ type: 'pause' }).after({ type: 'play' }, 60_000);
    let loudness = 1;
    let offsetMs = 0;
    while (player.view.status === 'playing') {
      offsetMs += 1_000;
      player.after({ type: 'timeUpdate', offsetMs }, 1_000);
      const order = player.effects.find((each) => each.type === 'tune');
      if (player.view.status === 'playing' && order?.type === 'tune') {
        expect(order.loudness).toBeLessThan(loudness);
        loudness = order.loudness;
      }
    }
    expect(offsetMs).toBe(15_000);
    expect(player.told()).toEqual(['pause 15000']);
    // The volume is restored for the next playback.
    expect(player.effects.at(-1)).toEqual({ type: 'tune', speed: 1, loudness: 1 });
  });

  it('stops at the end of the chapter that is heard, also after a jump to another', () => {
    const player = playing().after({ type: 'sleep', sleep: sleepAtChapterEnd(timeline, 0) });
    player.after({ type: 'seek', toMs: 35_000 });
    expect(player.view.sleep).toEqual({ kind: 'chapter', untilMs: 50_000 });
    player.after({ type: 'timeUpdate', offsetMs: 19_900 }, 15_000).after({ type: 'ended' });
    expect(player.view).toMatchObject({ status: 'paused', positionMs: 50_000, sleep: undefined });
    expect(player.told()).toEqual(['pause 50000']);
  });
});

describe('another tab', () => {
  it('that plays the same book tells the place from then on; this one lets go and follows', () => {
    const player = playing()
      .after({ type: 'timeUpdate', offsetMs: 4_000 }, 4_000)
      .after({ type: 'otherTabStarted', isSameBook: true });
    expect(player.told()).toEqual([]);
    expect(player.effects).toEqual([{ type: 'unload' }]);
    player.after({ type: 'otherTabMoved', positionMs: 31_000, isPlaying: true });
    expect(player.view).toMatchObject({ status: 'elsewhere', positionMs: 31_000 });
    player.after({ type: 'play' });
    expect(player.did('load')).toEqual({ type: 'load', index: 1, offsetMs: 1_000, isPlaying: true });
  });

  it('that plays another book pauses this one, which says where it was', () => {
    const player = playing()
      .after({ type: 'timeUpdate', offsetMs: 4_000 }, 4_000)
      .after({ type: 'otherTabStarted', isSameBook: false });
    expect(player.told()).toEqual(['pause 4000']);
    expect(player.view.status).toBe('paused');
  });
});

describe('trouble', () => {
  it('with the connection: it waits, and goes on at the same place', () => {
    const player = playing().after({ type: 'timeUpdate', offsetMs: 4_000 }, 4_000);
    const trouble = { kind: 'connection', title: 'Lost', hint: '' } as const;
    player.after({ type: 'failed', trouble, isFinal: false });
    expect(player.view).toMatchObject({ status: 'playing', isWaiting: true, trouble });
    expect(player.after({ type: 'reload' }).did('load')).toMatchObject({ index: 0, offsetMs: 4_000, isPlaying: true });
    expect(player.after({ type: 'playing' }).view).toMatchObject({ isWaiting: false, trouble: undefined });
  });

  it('with new files: it goes on in them, where the server says that the place is', () => {
    const merged = timelineOf([60_100], 2);
    const player = playing(35_000).after({ type: 'filesReplaced', timeline: merged, positionMs: 35_040 });
    expect(player.did('load')).toEqual({ type: 'load', index: 0, offsetMs: 35_040, isPlaying: true });
    expect(player.view).toMatchObject({ durationMs: 60_100, status: 'playing' });
  });
});

describe('whatever happens', () => {
  const anyEvent: fc.Arbitrary<PlayerEvent> = fc.oneof(
    fc
      .constantFrom<PlayerEvent['type'] & ('play' | 'pause' | 'ended' | 'waiting' | 'playing' | 'reload')>(
        'play',
        'pause',
        'ended',
        'waiting',
        'playing',
        'reload',
      )
      .map((type): PlayerEvent => ({ type })),
    fc.integer({ min: -5_000, max: 70_000 }).map((toMs): PlayerEvent => ({ type: 'seek', toMs })),
    fc.integer({ min: 0, max: 31_000 }).map((offsetMs): PlayerEvent => ({ type: 'timeUpdate', offsetMs })),
    fc.boolean().map((isSameBook): PlayerEvent => ({ type: 'otherTabStarted', isSameBook })),
    fc
      .record({ positionMs: fc.nat(60_000), isPlaying: fc.boolean() })
      .map((place): PlayerEvent => ({ type: 'otherTabMoved', ...place })),
    fc.float({ min: 0, max: 5, noNaN: true }).map((speed): PlayerEvent => ({ type: 'tune', speed })),
    fc
      .nat(3)
      .map((minutes): PlayerEvent => ({ type: 'sleep', sleep: minutes === 0 ? undefined : sleepAfter(minutes / 10) })),
  );

  it('the place is in the book, reports are of that place, and there is sound only from the file of that place', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(anyEvent, fc.nat(3_000)), { maxLength: 60 }), (events) => {
        const player = playing();
        for (const [event, afterMs] of events) {
          player.after(event, afterMs);
          const { positionMs, loaded, status, durationMs } = player.view;
          expect(positionMs).toBeGreaterThanOrEqual(0);
          expect(positionMs).toBeLessThanOrEqual(durationMs);
          if (status === 'playing') expect(loaded).toBeDefined();
          if (loaded !== undefined) {
            const { start_ms: start = 0, duration_ms: length = 0 } = timeline.segments[loaded] ?? {};
            expect(positionMs).toBeGreaterThanOrEqual(start);
            expect(positionMs).toBeLessThanOrEqual(start + length);
          }
          for (const effect of player.effects) {
            if (effect.type === 'load') expect(positionOf(timeline, effect)).toBe(positionMs);
            if (effect.type === 'report') expect(effect.positionMs).toBeLessThanOrEqual(durationMs);
          }
        }
      }),
    );
  });

  it('a place has one spot, and a spot one place', () => {
    fc.assert(
      fc.property(fc.nat(60_000), (positionMs) => {
        expect(positionOf(timeline, filePositionAt(timeline, positionMs))).toBe(positionMs);
      }),
    );
  });
});
