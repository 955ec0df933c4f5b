import { hash } from 'node:crypto';

const KEY_BYTES = 32;
const ID_CHARACTERS = 22;
const HALF_BYTES = 16;
const PAD_BYTES = 2 * HALF_BYTES;

/** What is derived from a tracking id; valid until that of the next one is. */
class IdPad {
  /** The key stream: the first 16 bytes count. */
  readonly stream = Buffer.alloc(PAD_BYTES);

  /** The proof: the last 16 bytes in 22 URL-safe characters. Written out when it is asked for: most URLs carry none. */
  get proof(): string {
    return this.stream.toString('base64url', HALF_BYTES);
  }
}

/**
 * Derives 256 bits from a tracking id that only holders of the key can compute: SHA-256 of the key and the id. Texts of
 * one length within one block cannot be extended, so this is as good as an HMAC, in half a microsecond. The first half
 * is a key stream, used once, as the id is; the second half is a proof. Neither reveals anything of the other.
 */
export class IdPads {
  readonly #text = Buffer.alloc(KEY_BYTES + ID_CHARACTERS);
  readonly #pad = new IdPad();

  /** `key` has 32 bytes. */
  constructor(key: Buffer) {
    key.copy(this.#text, 0, 0, KEY_BYTES);
  }

  padOf(trackingId: string): IdPad {
    this.#text.write(trackingId, KEY_BYTES, 'latin1');
    this.#pad.stream.write(hash('sha256', this.#text, 'binary'), 0, 'binary');
    return this.#pad;
  }
}
