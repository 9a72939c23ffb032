export interface DeckListener {
  readonly onMoved: () => void;
  readonly onEnded: () => void;
  readonly onWaiting: () => void;
  readonly onPlaying: () => void;
  /** The browser paused playback, for example because headphones were unplugged or a call came in. */
  readonly onInterrupted: () => void;
  readonly onError: () => void;
  /** The browser allows playback only after a click. */
  readonly onBlocked: () => void;
}

/** Two audio elements: one plays, the other preloads the next file. */
export class Deck {
  readonly #listener: DeckListener;
  #current = this.#element();
  #spare = this.#element();
  #url = '';
  #spareUrl = '';
  #wantsPlay = false;
  /** Position in seconds to seek to when the metadata is loaded. */
  #seekSeconds: number | undefined;
  #speed = 1;
  #loudness = 1;

  constructor(listener: DeckListener) {
    this.#listener = listener;
  }

  /** Position in the current file; undefined during a seek. */
  get offsetMs(): number | undefined {
    const { readyState, seeking, currentTime } = this.#current;
    const isKnown = this.#seekSeconds === undefined && !seeking && readyState >= HTMLMediaElement.HAVE_METADATA;
    return isKnown ? currentTime * 1_000 : undefined;
  }

  load(url: string, offsetMs: number, isPlaying: boolean): void {
    this.#wantsPlay = isPlaying;
    if (url === this.#spareUrl && this.#spare.error === null) {
      const left = this.#current;
      [this.#current, this.#spare] = [this.#spare, left];
      [this.#url, this.#spareUrl] = [url, ''];
      unloadAudio(left);
    } else if (url !== this.#url || this.#current.error !== null) {
      this.#url = url;
      this.#current.src = url;
    }
    this.#seekSeconds = offsetMs / 1_000;
    this.#applySeek();
    this.#tune();
    if (isPlaying) this.#start();
    else this.#current.pause();
  }

  preload(url: string): void {
    this.#spareUrl = url;
    this.#spare.src = url;
    this.#tune();
  }

  play(): void {
    this.#wantsPlay = true;
    this.#start();
  }

  pause(): void {
    this.#wantsPlay = false;
    this.#current.pause();
  }

  unload(): void {
    this.#wantsPlay = false;
    this.#seekSeconds = undefined;
    [this.#url, this.#spareUrl] = ['', ''];
    for (const audio of [this.#current, this.#spare]) unloadAudio(audio);
  }

  close(): void {
    this.unload();
    for (const audio of [this.#current, this.#spare]) audio.remove();
  }

  tune(speed: number, loudness: number): void {
    [this.#speed, this.#loudness] = [speed, loudness];
    this.#tune();
  }

  #element(): HTMLAudioElement {
    const audio = new Audio();
    audio.preload = 'auto';
    // Added to the page, so that the browser's media tools find the element. Without controls, it is invisible.
    document.body.append(audio);
    const on = (name: string, handle: () => void): void =>
      audio.addEventListener(name, () => {
        if (audio === this.#current && this.#url !== '') handle();
      });
    on('timeupdate', () => this.#listener.onMoved());
    on('loadedmetadata', () => this.#applySeek());
    on('ended', () => this.#listener.onEnded());
    on('waiting', () => this.#listener.onWaiting());
    on('playing', () => this.#listener.onPlaying());
    on('pause', () => {
      // The browser also pauses when it cannot load a file.
      if (this.#wantsPlay && !audio.ended && audio.error === null) this.#listener.onInterrupted();
    });
    on('error', () => this.#listener.onError());
    return audio;
  }

  #applySeek(): void {
    const audio = this.#current;
    if (this.#seekSeconds === undefined || audio.readyState < HTMLMediaElement.HAVE_METADATA) return;
    // Seeking to the very end would fire `ended` immediately.
    const last = Number.isFinite(audio.duration) ? Math.max(0, audio.duration - 0.05) : this.#seekSeconds;
    audio.currentTime = Math.min(this.#seekSeconds, last);
    this.#seekSeconds = undefined;
  }

  #start(): void {
    this.#current.play().catch((error: unknown) => {
      if (error instanceof DOMException && error.name === 'NotAllowedError') this.#listener.onBlocked();
    });
  }

  #tune(): void {
    for (const audio of [this.#current, this.#spare]) {
      audio.preservesPitch = true;
      audio.defaultPlaybackRate = this.#speed;
      audio.playbackRate = this.#speed;
      audio.volume = this.#loudness;
    }
  }
}

/** Releases the connection of an audio element. */
function unloadAudio(audio: HTMLAudioElement): void {
  audio.pause();
  audio.removeAttribute('src');
  audio.load();
}
