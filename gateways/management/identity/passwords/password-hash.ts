import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { Semaphore } from '#async/semaphore';
import { Overloaded } from '#runtime/actor/errors';

/**
 * The cost of one hash, which makes guessing expensive. It is stored with each hash, so that older passwords stay valid
 * when it changes.
 */
export interface HashCost {
  /** CPU and memory: N = 2^log2n; memory is 128 · N · r bytes. */
  readonly log2n: number;
  readonly r: number;
  readonly p: number;
}

/**
 * One of the equivalent parameter sets for scrypt of the OWASP Password Storage Cheat Sheet: the one with the least
 * memory, 16 MB.
 */
export const hashCost: HashCost = { log2n: 14, r: 8, p: 5 };

const saltBytes = 16;
const hashBytes = 32;
const form = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w-]+)\$([\w-]+)$/;

/** Hashing runs in libuv's pool of 4 threads, which file access shares; the bound leaves 2 of them free. */
const hashing = new Semaphore(2, { waiting: 32, refusal: () => new Overloaded('too many passwords are being hashed') });

/**
 * Hashes a password: `$scrypt$ln=14,r=8,p=5$<salt>$<hash>` (RFC 7914; salt and hash in base64url).
 * @throws Overloaded when too many passwords wait to be hashed
 */
export async function hashPassword(password: string, cost: HashCost = hashCost): Promise<string> {
  const salt = randomBytes(saltBytes);
  const hash = await derive(password, salt, hashBytes, cost);
  const { log2n, r, p } = cost;
  return `$scrypt$ln=${log2n},r=${r},p=${p}$${salt.toString('base64url')}$${hash.toString('base64url')}`;
}

/**
 * Whether this is the password that was hashed. The time depends on the hash's cost alone.
 * @throws Overloaded when too many passwords wait to be hashed
 */
export async function isPassword(password: string, stored: string): Promise<boolean> {
  const [, log2n, r, p, salt, hash] = form.exec(stored) ?? [];
  if (salt === undefined || hash === undefined) throw new Error('what is stored is no password hash');
  const expected = Buffer.from(hash, 'base64url');
  const cost = { log2n: Number(log2n), r: Number(r), p: Number(p) };
  const actual = await derive(password, Buffer.from(salt, 'base64url'), expected.length, cost);
  return timingSafeEqual(actual, expected);
}

function derive(password: string, salt: Buffer, length: number, { log2n, r, p }: HashCost): Promise<Buffer> {
  const N = 2 ** log2n;
  const options: ScryptOptions = { N, r, p, maxmem: 256 * N * r };
  // The normalisation makes the characters equal however a keyboard composes them (NIST SP 800-63B §5.1.1.2).
  const text = password.normalize('NFKC');
  return hashing.run(
    () =>
      new Promise((resolve, reject) => {
        scrypt(text, salt, length, options, (error, key) => (error ? reject(error) : resolve(key)));
      }),
  );
}
