import { requestOriginOf } from '#edge/auction/origin-of';
import type { ImpressionCaller } from '#edge/impressions/impression-caller';
import { InvalidTrafficDetector, type JudgeDeps } from '#edge/invalid-traffic/impression-judge';
import { DEFAULT_INVALID_TRAFFIC_SETTINGS, type InvalidTrafficSettings } from '#edge/invalid-traffic/settings';
import { TrackingMint } from '#edge/tracking/mint';
import { newTrackingId } from '#edge/tracking/tracking-id';
import { TrackingVerifier, type Verified } from '#edge/tracking/verify';
import type { Clock } from '#runtime/ports/clock';
import { aSale, SECRET_KEY } from '../tracking/a-sale.ts';

const mint = new TrackingMint({ secretKey: SECRET_KEY, publicEdgeUrl: '' });
const verifier = new TrackingVerifier({ secretKey: SECRET_KEY });

/** Of machines and viewers on the public Internet. */
export const MACHINE = '93.184.215.14';
export const VIEWER = '84.23.17.9';

/** What an ad request said, as far as a verdict depends on it. */
export interface Asked {
  readonly device?: { readonly ip?: string; readonly ua?: string; readonly geo?: { readonly country?: string } };
  readonly address?: string;
  readonly isKeyed?: boolean;
  readonly isTag?: boolean;
  readonly verified?: boolean;
  readonly sandbox?: boolean;
}

export type Called = Partial<Omit<ImpressionCaller, 'header'>> & { readonly channel?: 'client' | 'server' };

/** Stands still until it is set ahead. */
class HandClock implements Clock {
  #ms = Date.UTC(2026, 0, 5, 12);

  now(): number {
    return this.#ms;
  }

  monotonic(): number {
    return this.#ms;
  }

  after(): () => void {
    throw new Error('a verdict waits for nothing');
  }

  advance(ms: number): void {
    this.#ms += ms;
  }
}

/** A judge whose clock stands still until it is told otherwise, and the calls that it judges. */
export class Court {
  readonly clock = new HandClock();
  readonly judge: InvalidTrafficDetector;
  readonly #countryOf: JudgeDeps['countryOf'];

  constructor(
    settings: Partial<InvalidTrafficSettings> = {},
    publisher: ReturnType<JudgeDeps['publisher']> | null = { type: 'web' },
    countryOf?: JudgeDeps['countryOf'],
  ) {
    this.#countryOf = countryOf;
    this.judge = new InvalidTrafficDetector({
      settings: { ...DEFAULT_INVALID_TRAFFIC_SETTINGS, ...settings },
      clock: this.clock,
      publisher: () => publisher ?? undefined,
      ...(countryOf && { countryOf }),
    });
  }

  /** An ad is sold, and its URLs are told: what comes of a call of one of them. */
  sell({ device, address = MACHINE, isKeyed = false, isTag = false, verified = false, sandbox = false }: Asked): Sold {
    const request = { id: 'request-1', imp: [], ...(device && { device }) } as never;
    const origin = requestOriginOf({ request, askedBy: { address, isKeyed, isTag }, verified }, this.#countryOf);
    const sale = aSale({ sandbox, issuedAtMs: this.clock.now() });
    if (!sandbox) this.judge.onSold(sale.publisherId);
    const { url, billingUrl } = mint.mintTracking(sale, newTrackingId(), origin);
    return new Sold(this.judge, { client: url, server: billingUrl });
  }
}

export class Sold {
  readonly #judge: InvalidTrafficDetector;
  readonly #urls: Readonly<Record<'client' | 'server', string>>;

  constructor(judge: InvalidTrafficDetector, urls: Record<'client' | 'server', string>) {
    this.#judge = judge;
    this.#urls = urls;
  }

  verified(channel: 'client' | 'server'): Verified {
    const verification = verifier.verify('impression', this.#urls[channel].split('?')[1]!);
    if (!verification.ok) throw new Error(`the URL is ${verification.reason}`);
    return verification;
  }

  call({ channel = 'server', address = MACHINE, userAgent = 'curl/8.5.0', ...forwarded }: Called): string | null {
    const headers = { deviceAddress: null, deviceUserAgent: null, ...forwarded, header: () => null };
    return this.#judge.detect(this.verified(channel), { address, userAgent, ...headers });
  }
}
