/** The last bytes of a stream in a fixed piece of memory: byte n lies at n modulo its size. */
export class TailRing {
  readonly #ring: Buffer;
  #seen = 0;

  constructor(size: number) {
    this.#ring = Buffer.allocUnsafe(size);
  }

  get hasForgotten(): boolean {
    return this.#seen > this.#ring.length;
  }

  push(chunk: Uint8Array): void {
    const size = this.#ring.length;
    const last = chunk.length > size ? chunk.subarray(chunk.length - size) : chunk;
    const at = (this.#seen + chunk.length - last.length) % size;
    const first = Math.min(last.length, size - at);
    this.#ring.set(last.subarray(0, first), at);
    this.#ring.set(last.subarray(first), 0);
    this.#seen += chunk.length;
  }

  bytes(): Buffer {
    if (!this.hasForgotten) return this.#ring.subarray(0, this.#seen);
    const at = this.#seen % this.#ring.length;
    return Buffer.concat([this.#ring.subarray(at), this.#ring.subarray(0, at)]);
  }
}
