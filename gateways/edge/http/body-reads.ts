import type { IncomingMessage } from 'node:http';
import { Linked, LinkedList } from '#async/linked-list';
import type { Clock } from '#runtime/ports/clock';
import { ApiError } from '../../errors.ts';
import type { BodyLimits } from './body-limits.ts';
import { decompress } from './decompress.ts';

/**
 * Reads bodies, bounded in time, number and bytes. Beyond a bound, the body that has been under way longest is given
 * up, never the newest: an honest body comes with its head or a moment later, so slow bodies only displace each other.
 */
export class RequestBodyReader {
  readonly #limits: BodyLimits;
  readonly #maxBodyBytes: number;
  readonly #clock: Clock;
  /** Open reads in the order in which they began, which is the order of their deadlines. */
  readonly #open = new LinkedList<BodyRead>();
  /** Of all reads: objects of their own for each would be most of what a read allocates. */
  readonly #listener: BodyReadListener = {
    arrived: (read, bytes) => this.#arrived(read, bytes),
    whole: (read, raw) => this.#whole(read, raw),
    settled: (read) => this.#leave(read),
  };
  #bytes = 0;
  #cancelTimer: (() => void) | null = null;

  /** `maxBodyBytes`: bound of one body, before and after decompression. */
  constructor(limits: BodyLimits, maxBodyBytes: number, clock: Clock) {
    this.#limits = limits;
    this.#maxBodyBytes = maxBodyBytes;
    this.#clock = clock;
  }

  get reading(): number {
    return this.#open.size;
  }

  /** Bytes received of bodies that are incomplete or not decompressed yet. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * The body of a request, decompressed. Throws PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE for another coding than gzip,
   * INVALID_PARAMS for a broken or incomplete body, REQUEST_TIMEOUT for one that takes too long, and
   * SERVICE_UNAVAILABLE for one that was given up for others.
   */
  read(request: IncomingMessage): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      if (Number(request.headers['content-length']) > this.#maxBodyBytes) {
        // The rest is read and discarded, so that the caller can read the answer.
        request.resume();
        reject(tooLarge(this.#maxBodyBytes));
        return;
      }
      const deadlineMs = this.#clock.monotonic() + this.#limits.timeoutMs;
      const read = new BodyRead(request, deadlineMs, this.#listener, resolve, reject);
      this.#open.add(read);
      if (this.#open.size > this.#limits.maxReading) this.#giveUpOldest();
      this.#cancelTimer ??= this.#clock.after(this.#limits.timeoutMs, () => this.#endOverdue());
    });
  }

  /** Stops the timer. It ends no read: each has its deadline. */
  close(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }

  #arrived(read: BodyRead, bytes: number): void {
    if (read.bytes + bytes > this.#maxBodyBytes) {
      read.fail(tooLarge(this.#maxBodyBytes));
      return;
    }
    read.bytes += bytes;
    this.#bytes += bytes;
    while (this.#bytes > this.#limits.maxBytes) this.#giveUpOldest();
  }

  #whole(read: BodyRead, raw: Buffer): void {
    try {
      const body = decompress(raw, read.coding, this.#maxBodyBytes);
      if (body instanceof Promise)
        body.then(
          (whole) => read.end(whole),
          (error: unknown) => read.fail(error),
        );
      else read.end(body);
    } catch (error) {
      read.fail(error);
    }
  }

  #leave(read: BodyRead): void {
    if (this.#open.delete(read)) this.#bytes -= read.bytes;
  }

  #giveUpOldest(): void {
    this.#open.first?.fail(new ApiError('SERVICE_UNAVAILABLE', 'Too many bodies are being read.'));
  }

  /** One timer serves all reads: it is set for the oldest, which may have ended long before. */
  #endOverdue(): void {
    this.#cancelTimer = null;
    const nowMs = this.#clock.monotonic();
    for (let read = this.#open.first; read !== null; read = this.#open.first) {
      const leftMs = read.deadlineMs - nowMs;
      if (leftMs > 0) {
        this.#cancelTimer = this.#clock.after(Math.ceil(leftMs), () => this.#endOverdue());
        return;
      }
      read.fail(new ApiError('REQUEST_TIMEOUT', `The body did not arrive within ${this.#limits.timeoutMs} ms.`));
    }
  }
}

interface BodyReadListener {
  arrived(read: BodyRead, bytes: number): void;
  whole(read: BodyRead, raw: Buffer): void;
  /** Called before the result is handed on. */
  settled(read: BodyRead): void;
}

/** One body being read; ends or fails once. */
class BodyRead extends Linked<BodyRead> {
  readonly deadlineMs: number;
  /** Bytes received so far. */
  bytes = 0;
  readonly #request: IncomingMessage;
  readonly #listener: BodyReadListener;
  readonly #resolve: (body: Buffer) => void;
  readonly #reject: (error: unknown) => void;
  #chunks: Buffer[] = [];
  #settled = false;

  constructor(
    request: IncomingMessage,
    deadlineMs: number,
    listener: BodyReadListener,
    resolve: (body: Buffer) => void,
    reject: (error: unknown) => void,
  ) {
    super();
    this.deadlineMs = deadlineMs;
    this.#request = request;
    this.#listener = listener;
    this.#resolve = resolve;
    this.#reject = reject;
    request.on('data', (chunk: Buffer) => {
      if (this.#settled) return;
      this.#chunks.push(chunk);
      this.#listener.arrived(this, chunk.length);
    });
    request.on('end', () => {
      if (this.#settled) return;
      const chunks = this.#chunks;
      this.#chunks = [];
      this.#listener.whole(this, chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
    });
    // Also called after a complete request, where it does nothing.
    const cutShort = (): void => {
      if (!request.complete) this.fail(new ApiError('INVALID_PARAMS', 'The body was cut short.'));
    };
    request.on('close', cutShort);
    request.on('error', cutShort);
  }

  get coding(): string | undefined {
    return this.#request.headers['content-encoding'];
  }

  end(body: Buffer): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#listener.settled(this);
    this.#resolve(body);
  }

  /** The rest is read and discarded, so that the caller can read the answer. */
  fail(error: unknown): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#chunks = [];
    this.#request.resume();
    this.#listener.settled(this);
    this.#reject(error);
  }
}

function tooLarge(maxBytes: number): ApiError {
  return new ApiError('PAYLOAD_TOO_LARGE', `The body is larger than ${maxBytes} bytes.`);
}
