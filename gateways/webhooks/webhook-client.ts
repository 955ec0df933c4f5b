import type { Agent } from 'undici';
import type { DeliveryAttempt } from '../../actors/webhook-queue/messages.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import { AddressForbidden, namesForbiddenAddress } from '../http/address-guard.ts';
import { guardedConnect } from '../http/guarded-connect.ts';
import { TimeLimit } from '../http/time-limit.ts';
import { LateClient } from '../http/undici.ts';
import type { DeliverySettings } from './settings.ts';

/** The body of a response is not used; the connection of a longer body is closed. */
const MAX_ANSWER_BYTES = 16_384;
const MAX_HEADER_BYTES = 16_384;
const KEEP_ALIVE_MS = 10_000;
const MAX_ERROR_CHARACTERS = 300;

const NOT_PUBLIC = 'the URL leads to an address that is not of the public Internet';

/**
 * Sends POST requests to receivers, which are not trusted: only to public addresses unless settings allow others,
 * without following redirects, with limits on time and size.
 */
export class WebhookClient {
  readonly #settings: DeliverySettings;
  readonly #clock: Clock;
  readonly #agent: LateClient<Agent>;

  constructor(settings: DeliverySettings, clock: Clock) {
    this.#settings = settings;
    this.#clock = clock;
    const options = {
      connections: settings.atOncePerOrigin,
      keepAliveTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      connect: guardedConnect(settings, settings.acknowledgeMs),
    };
    this.#agent = new LateClient(({ Agent }) => new Agent(options));
  }

  /** Makes one attempt. Only a 200 whose headers arrive in time acknowledges it. Null when `stop` ended the attempt. */
  async post(
    url: URL,
    headers: Readonly<Record<string, string>>,
    body: string,
    stop: AbortSignal,
  ): Promise<DeliveryAttempt | null> {
    const began = this.#clock.monotonic();
    const end = (httpStatus: number | null, error: string | null): DeliveryAttempt => ({
      atMs: this.#clock.now(),
      latencyMs: Math.max(0, Math.round(this.#clock.monotonic() - began)),
      httpStatus,
      error: error?.slice(0, MAX_ERROR_CHARACTERS) ?? null,
    });
    // An address literal is never looked up, so the connector does not check it.
    if (!this.#settings.allowPrivateNetworks && namesForbiddenAddress(url)) return end(null, NOT_PUBLIC);

    const { acknowledgeMs } = this.#settings;
    // `AbortSignal.any` would leak: Node 20 keeps a reference for each call until `stop` is gone, which lives as long
    // as the process.
    const limit = new TimeLimit(this.#clock, acknowledgeMs, 'answer', stop);
    try {
      const { origin, pathname, search } = url;
      const answer = await this.#agent.get().request({
        origin,
        path: pathname + search,
        method: 'POST',
        headers: { ...headers },
        body,
        signal: limit.signal,
      });
      void answer.body.dump({ limit: MAX_ANSWER_BYTES, signal: AbortSignal.timeout(acknowledgeMs) }).catch(() => {
        answer.body.destroy();
      });
      return end(answer.statusCode, answer.statusCode === 200 ? null : refusal(answer.statusCode));
    } catch (error) {
      if (stop.aborted) return null;
      if (limit.signal.aborted) return end(null, `no answer within ${acknowledgeMs / 1000} s`);
      return end(null, failureOf(error));
    } finally {
      limit.end();
    }
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }
}

function refusal(status: number): string {
  if (status >= 300 && status < 400) return `answered ${status}: redirects are not followed`;
  if (status >= 200 && status < 300) return `answered ${status}: only 200 acknowledges`;
  return `answered ${status}`;
}

/** Describes a failure without revealing what is behind the name. */
function failureOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (error instanceof AddressForbidden || code === 'ADDRESS_FORBIDDEN') return NOT_PUBLIC;
  return `the receiver could not be reached: ${code ?? message}`;
}
