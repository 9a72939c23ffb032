import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { freshView, plainTuning } from './fresh-view.ts';
import { type Happening, stepOf } from './machine.ts';
import { sleepAfter, sleepAtChapterEnd } from './sleep.ts';
import { positionOf, spotAt, type Timeline } from './timeline.ts';
import type { Order, PlayerView } from './view.ts';

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

/** A player, a clock, and everything it was told to do. */
class Played {
  view: PlayerView = freshView(book, plainTuning);
  orders: Order[] = [];
  now = 0;

  after(event: Happening, afterMs: number = 0): this {
    this.now += afterMs;
    const { view, orders } = stepOf(this.view, event, this.now);
    this.view = view;
    this.orders = [...orders];
    return this;
  }

  told(): readonly string[] {
    return this.orders.flatMap((order) => (order.do === 'report' ? [`${order.event} ${order.positionMs}`] : []));
  }

  did(kind: Order['do']): Order | undefined {
    return this.orders.find((order) => order.do === kind);
  }
}

function playing(at: number = 0): Played {
  return new Played().after({ is: 'opened', book, timeline, positionMs: at, isPlaying: true });
}

describe('a book that is played', () => {
  it('begins in the file of its place, at the place, and says so', () => {
    const player = playing(35_000);
    expect(player.did('load')).toEqual({ do: 'load', index: 1, offsetMs: 5_000, isPlaying: true });
    expect(player.told()).toEqual(['start 35000']);
    expect(player.view).toMatchObject({ status: 'playing', isWaiting: true });
    expect(player.after({ is: 'sounding' }).view.isWaiting).toBe(false);
  });

  it('opens no connection before somebody wants to hear it', () => {
    const player = new Played().after({ is: 'opened', book, timeline, positionMs: 5_000, isPlaying: false });
    expect(player.orders).toEqual([{ do: 'unload' }]);
    expect(player.view.loaded).toBeUndefined();
    expect(player.after({ is: 'sought', toMs: 12_000 }).did('load')).toBeUndefined();
    expect(player.after({ is: 'play' }).did('load')).toMatchObject({ index: 0, offsetMs: 12_000 });
  });

  it('fetches the next file when the end of this one is near, and goes over to it', () => {
    const player = playing().after({ is: 'moved', offsetMs: 9_000 }, 9_000);
    expect(player.did('preload')).toBeUndefined();
    expect(player.after({ is: 'moved', offsetMs: 10_500 }, 1_500).did('preload')).toEqual({ do: 'preload', index: 1 });
    expect(player.after({ is: 'moved', offsetMs: 11_000 }, 500).did('preload')).toBeUndefined();
    player.after({ is: 'ended' });
    expect(player.did('load')).toEqual({ do: 'load', index: 1, offsetMs: 0, isPlaying: true });
    expect(player.view.positionMs).toBe(30_000);
    expect(player.told()).toEqual([]);
  });

  it('tells where it is each 15 seconds of listening', () => {
    const player = playing();
    const told: string[] = [];
    for (let second = 1; second <= 29; second += 1) {
      told.push(...player.after({ is: 'moved', offsetMs: second * 1_000 }, 1_000).told());
    }
    expect(told).toEqual(['progress 15000']);
  });

  it('is over at its end, and begins again after it', () => {
    const player = playing(55_000).after({ is: 'ended' });
    expect(player.told()).toEqual(['complete 60000']);
    expect(player.did('finished')).toBeDefined();
    expect(player.view).toMatchObject({ status: 'paused', positionMs: 60_000 });
    player.after({ is: 'play' });
    expect(player.did('load')).toMatchObject({ index: 0, offsetMs: 0 });
    expect(player.told()).toEqual(['start 0']);
  });

  it('tells what was heard before a jump, and where the jump went', () => {
    const player = playing().after({ is: 'moved', offsetMs: 4_000 }, 4_000).after({ is: 'sought', toMs: 52_000 });
    expect(player.told()).toEqual(['progress 4000', 'seek 52000']);
    expect(player.did('load')).toEqual({ do: 'load', index: 2, offsetMs: 2_000, isPlaying: true });
  });

  it('tells what was heard at the old speed before it takes the new one, within its bounds', () => {
    const player = playing().after({ is: 'moved', offsetMs: 4_000 }, 4_000).after({ is: 'tuned', speed: 9 });
    expect(player.did('report')).toMatchObject({ event: 'progress', positionMs: 4_000, speed: 1 });
    expect(player.did('tune')).toMatchObject({ speed: 3.5 });
    expect(player.after({ is: 'tuned', speed: 0.1 }).view.speed).toBe(0.5);
  });
});

describe('the sleep timer', () => {
  it('counts only what is listened to, grows quieter, and stops', () => {
    const player = playing().after({ is: 'sleep', sleep: sleepAfter(0.25) });
    player.after({ is: 'pause' }).after({ is: 'play' }, 60_000);
    let loudness = 1;
    let offsetMs = 0;
    while (player.view.status === 'playing') {
      offsetMs += 1_000;
      player.after({ is: 'moved', offsetMs }, 1_000);
      const order = player.orders.find((each) => each.do === 'tune');
      if (player.view.status === 'playing' && order?.do === 'tune') {
        expect(order.loudness).toBeLessThan(loudness);
        loudness = order.loudness;
      }
    }
    expect(offsetMs).toBe(15_000);
    expect(player.told()).toEqual(['pause 15000']);
    // Loud again for the next time.
    expect(player.orders.at(-1)).toEqual({ do: 'tune', speed: 1, loudness: 1 });
  });

  it('stops at the end of the chapter that is heard, also after a jump to another', () => {
    const player = playing().after({ is: 'sleep', sleep: sleepAtChapterEnd(timeline, 0) });
    player.after({ is: 'sought', toMs: 35_000 });
    expect(player.view.sleep).toEqual({ kind: 'chapter', untilMs: 50_000 });
    player.after({ is: 'moved', offsetMs: 19_900 }, 15_000).after({ is: 'ended' });
    expect(player.view).toMatchObject({ status: 'paused', positionMs: 50_000, sleep: undefined });
    expect(player.told()).toEqual(['pause 50000']);
  });
});

describe('another tab', () => {
  it('that plays the same book tells the place from then on; this one lets go and follows', () => {
    const player = playing().after({ is: 'moved', offsetMs: 4_000 }, 4_000).after({ is: 'taken', isSameBook: true });
    expect(player.told()).toEqual([]);
    expect(player.orders).toEqual([{ do: 'unload' }]);
    player.after({ is: 'mirrored', positionMs: 31_000, isPlaying: true });
    expect(player.view).toMatchObject({ status: 'elsewhere', positionMs: 31_000 });
    player.after({ is: 'play' });
    expect(player.did('load')).toEqual({ do: 'load', index: 1, offsetMs: 1_000, isPlaying: true });
  });

  it('that plays another book pauses this one, which says where it was', () => {
    const player = playing().after({ is: 'moved', offsetMs: 4_000 }, 4_000).after({ is: 'taken', isSameBook: false });
    expect(player.told()).toEqual(['pause 4000']);
    expect(player.view.status).toBe('paused');
  });
});

describe('trouble', () => {
  it('with the connection: it waits, and goes on at the same place', () => {
    const player = playing().after({ is: 'moved', offsetMs: 4_000 }, 4_000);
    const trouble = { kind: 'connection', title: 'Lost', hint: '' } as const;
    player.after({ is: 'broken', trouble, isOver: false });
    expect(player.view).toMatchObject({ status: 'playing', isWaiting: true, trouble });
    expect(player.after({ is: 'retried' }).did('load')).toMatchObject({ index: 0, offsetMs: 4_000, isPlaying: true });
    expect(player.after({ is: 'sounding' }).view).toMatchObject({ isWaiting: false, trouble: undefined });
  });

  it('with new files: it goes on in them, where the server says that the place is', () => {
    const merged = timelineOf([60_100], 2);
    const player = playing(35_000).after({ is: 'replaced', timeline: merged, positionMs: 35_040 });
    expect(player.did('load')).toEqual({ do: 'load', index: 0, offsetMs: 35_040, isPlaying: true });
    expect(player.view).toMatchObject({ durationMs: 60_100, status: 'playing' });
  });
});

describe('whatever happens', () => {
  const happening: fc.Arbitrary<Happening> = fc.oneof(
    fc
      .constantFrom<Happening['is'] & ('play' | 'pause' | 'ended' | 'waiting' | 'sounding' | 'retried')>(
        'play',
        'pause',
        'ended',
        'waiting',
        'sounding',
        'retried',
      )
      .map((is): Happening => ({ is })),
    fc.integer({ min: -5_000, max: 70_000 }).map((toMs): Happening => ({ is: 'sought', toMs })),
    fc.integer({ min: 0, max: 31_000 }).map((offsetMs): Happening => ({ is: 'moved', offsetMs })),
    fc.boolean().map((isSameBook): Happening => ({ is: 'taken', isSameBook })),
    fc
      .record({ positionMs: fc.nat(60_000), isPlaying: fc.boolean() })
      .map((place): Happening => ({ is: 'mirrored', ...place })),
    fc.float({ min: 0, max: 5, noNaN: true }).map((speed): Happening => ({ is: 'tuned', speed })),
    fc
      .nat(3)
      .map((minutes): Happening => ({ is: 'sleep', sleep: minutes === 0 ? undefined : sleepAfter(minutes / 10) })),
  );

  it('the place is in the book, reports are of that place, and there is sound only from the file of that place', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(happening, fc.nat(3_000)), { maxLength: 60 }), (events) => {
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
          for (const order of player.orders) {
            if (order.do === 'load') expect(positionOf(timeline, order)).toBe(positionMs);
            if (order.do === 'report') expect(order.positionMs).toBeLessThanOrEqual(durationMs);
          }
        }
      }),
    );
  });

  it('a place has one spot, and a spot one place', () => {
    fc.assert(
      fc.property(fc.nat(60_000), (positionMs) => {
        expect(positionOf(timeline, spotAt(timeline, positionMs))).toBe(positionMs);
      }),
    );
  });
});
