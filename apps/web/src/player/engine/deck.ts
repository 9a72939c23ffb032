/** Where the sound comes out: one element that plays, and one that fetches what comes next. */

export interface DeckListener {
  readonly onMoved: (offsetMs: number) => void;
  readonly onEnded: () => void;
  readonly onWaiting: () => void;
  readonly onSounding: () => void;
  /** The browser paused it: headphones were unplugged, a call came in. */
  readonly onInterrupted: () => void;
  readonly onBroken: () => void;
  /** The browser wants a click first. */
  readonly onBlocked: () => void;
}

export interface Deck {
  load(url: string, offsetMs: number, isPlaying: boolean): void;
  preload(url: string): void;
  play(): void;
  pause(): void;
  unload(): void;
  tune(speed: number, loudness: number): void;
  /** How far the sound has come; for watching over it. */
  place(): { readonly url: string; readonly offsetMs: number; readonly isPaused: boolean };
}

export function createDeck(listener: DeckListener): Deck {
  let current = element();
  let spare = element();
  let url = '';
  let spareUrl = '';
  let wantsPlay = false;
  /** Where to go as soon as the file is known well enough. */
  let goTo: number | undefined;
  let tuning = { speed: 1, loudness: 1 };

  function element(): HTMLAudioElement {
    const audio = new Audio();
    audio.preload = 'auto';
    const isCurrent = (): boolean => audio === current && url !== '';
    const on = (name: string, handle: () => void): void => audio.addEventListener(name, () => isCurrent() && handle());
    on('timeupdate', () => goTo === undefined && !audio.seeking && listener.onMoved(audio.currentTime * 1_000));
    on('loadedmetadata', settle);
    on('ended', listener.onEnded);
    on('waiting', listener.onWaiting);
    on('playing', listener.onSounding);
    on('pause', () => wantsPlay && !audio.ended && listener.onInterrupted());
    on('error', listener.onBroken);
    return audio;
  }
  function settle(): void {
    if (goTo === undefined || current.readyState < HTMLMediaElement.HAVE_METADATA) return;
    // The very end of a file is where `ended` comes from, not a place to begin at.
    const last = Number.isFinite(current.duration) ? Math.max(0, current.duration - 0.05) : goTo;
    current.currentTime = Math.min(goTo, last);
    goTo = undefined;
  }
  function start(): void {
    current.play().catch((error: unknown) => {
      if (error instanceof DOMException && error.name === 'NotAllowedError') listener.onBlocked();
    });
  }
  function tune(): void {
    for (const audio of [current, spare]) {
      audio.preservesPitch = true;
      audio.defaultPlaybackRate = tuning.speed;
      audio.playbackRate = tuning.speed;
      audio.volume = tuning.loudness;
    }
  }
  function empty(audio: HTMLAudioElement): void {
    audio.pause();
    audio.removeAttribute('src');
    audio.load();
  }
  return {
    load(nextUrl, offsetMs, isPlaying) {
      wantsPlay = isPlaying;
      if (nextUrl === spareUrl && spare.error === null) {
        const left = current;
        [current, spare] = [spare, current];
        [url, spareUrl] = [spareUrl, ''];
        empty(left);
      } else if (nextUrl !== url || current.error !== null) {
        url = nextUrl;
        current.src = nextUrl;
      }
      goTo = offsetMs / 1_000;
      settle();
      tune();
      if (isPlaying) start();
      else current.pause();
    },
    preload(nextUrl) {
      spareUrl = nextUrl;
      spare.src = nextUrl;
      tune();
    },
    play() {
      wantsPlay = true;
      start();
    },
    pause() {
      wantsPlay = false;
      current.pause();
    },
    unload() {
      wantsPlay = false;
      goTo = undefined;
      [url, spareUrl] = ['', ''];
      for (const audio of [current, spare]) empty(audio);
    },
    tune(speed, loudness) {
      tuning = { speed, loudness };
      tune();
    },
    place: () => ({ url, offsetMs: current.currentTime * 1_000, isPaused: current.paused }),
  };
}
