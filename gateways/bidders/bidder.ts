import type { ConnectionProblem } from '../../actors/bidder-health/messages.ts';
import type { DspProjection } from '../../actors/dsp/fields.ts';
import type { AuctionBidder, CallOutcome } from '../../edge/auction/bidders.ts';
import type { NoBidReason } from '../../exchange/auction/loss-reason.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import { BackOff } from './back-off.ts';
import { BidderCall, type CallOwner } from './bidder-call.ts';
import type { CallEnd, CallObserver, ObserveCall } from './call-observer.ts';
import { CallRate } from './call-rate.ts';
import type { ChannelPool } from './channels/channel.ts';
import { createChannels } from './channels/create-channels.ts';
import { type BreakerState, CircuitBreaker } from './circuit-breaker.ts';
import { type CallFigures, RecentCalls } from './health/recent-calls.ts';
import type { BidderSettings } from './settings.ts';
import { isSyntheticUrl } from './synthetic/in-process-channels.ts';

/** One bidder as this edge calls it: its connections, its circuit breaker and its limits. */
export class Bidder implements CallOwner, AuctionBidder {
  dsp: DspProjection;
  readonly #settings: BidderSettings;
  readonly #clock: Clock;
  readonly #breaker: CircuitBreaker;
  readonly #rate: CallRate;
  readonly #backOff: BackOff;
  readonly #random: () => number;
  /** Calls that asked the rate limit for admission since the last {@link takeRequestedCalls}. */
  #requestedCalls = 0;
  #recent = new RecentCalls();
  /** Null when the URL cannot be called. */
  #channels: ChannelPool | null;
  /** Calls that have a channel; those given up while connecting count until the connection is made or fails. */
  #openCalls = 0;
  readonly #calls: CallObserver | undefined;
  #observe: ObserveCall | undefined;

  /** `random`: uniform in [0, 1). */
  constructor(
    dsp: DspProjection,
    settings: BidderSettings,
    clock: Clock,
    random: () => number = Math.random,
    calls?: CallObserver,
  ) {
    this.dsp = dsp;
    this.#settings = settings;
    this.#clock = clock;
    this.#breaker = new CircuitBreaker(settings.breaker);
    this.#rate = new CallRate(callsPerSecond(dsp, settings), random);
    this.#backOff = new BackOff(random);
    this.#random = random;
    this.#channels = createChannels(dsp, settings, clock, random);
    this.#calls = calls;
    this.#observe = calls?.begin(dsp);
  }

  /** Calls that have a connection or wait for one. */
  get openCalls(): number {
    return this.#openCalls;
  }

  /**
   * Applies the new projection. A changed endpoint gets new connections; calls under way end on the old ones. One more
   * reset closes the breaker, or resets the figures.
   */
  update(dsp: DspProjection): void {
    const moved =
      dsp.endpointUrl !== this.dsp.endpointUrl ||
      dsp.openrtbVersion !== this.dsp.openrtbVersion ||
      (dsp.status !== this.dsp.status && isSyntheticUrl(dsp.endpointUrl));
    const reset = dsp.breakerResets > this.dsp.breakerResets;
    const changed = dsp.qpsLimit !== this.dsp.qpsLimit;
    const begunAnew = dsp.healthResets > this.dsp.healthResets;
    if (dsp.status !== this.dsp.status) this.#observe = this.#calls?.begin(dsp);
    this.dsp = dsp;
    if (changed) this.#rate.change(callsPerSecond(dsp, this.#settings));
    if (reset) this.#resetHealth();
    if (begunAnew) this.#recent = new RecentCalls();
    if (!moved) return;
    const old = this.#channels;
    this.#channels = createChannels(dsp, this.#settings, this.#clock, this.#random);
    this.#resetHealth();
    this.#recent.forgetConnectionProblem();
    old?.close();
  }

  breakerState(): BreakerState {
    return this.#breaker.state(this.#clock.monotonic());
  }

  /** The calls that would have been made without a rate limit, since the last call of this method. */
  takeRequestedCalls(): number {
    const requested = this.#requestedCalls;
    this.#requestedCalls = 0;
    return requested;
  }

  /** Whether this many edges together could exceed the DSP's limit. */
  limitBinds(edges: number): boolean {
    return this.dsp.qpsLimit < edges * this.#settings.maxCallsPerSecond;
  }

  /** Sets this edge's part of the limit, in calls a second; it holds until the limit changes or another part is set. */
  setRateLimit(perSecond: number): void {
    this.#rate.change(Math.min(perSecond, callsPerSecond(this.dsp, this.#settings)));
  }

  /** Records that it has bid in an auction; `atMs` is ms since the epoch. */
  recordBid(atMs: number): void {
    this.#recent.bid(atMs);
  }

  /** The figures of its recent calls; the rate covers the time since the last call of this method. */
  takeFigures(): CallFigures {
    return this.#recent.take(this.#clock.monotonic());
  }

  /**
   * Takes one call from every limit, or returns the reason why not. A breaker's ticket (≥ 0) must be handed to `call`.
   * The breaker is asked last, because a probe that it admits must be made.
   */
  admit(nowMs: number, timeoutMs: number): number | NoBidReason {
    if (this.#channels === null) return 'unreachable';
    if (timeoutMs < this.#settings.minTimeoutMs) return 'insufficient-time';
    if (this.#openCalls >= this.#settings.maxConcurrentCalls) return 'concurrency-limit';
    if (this.#breaker.state(nowMs) === 'open') return 'circuit-open';
    if (this.#breaker.state(nowMs) === 'closed' && this.#backOff.keepsBack(nowMs)) return 'backing-off';
    this.#requestedCalls++;
    if (!this.#rate.take(nowMs)) return 'qps-limit';
    const ticket = this.#breaker.admit(nowMs);
    return ticket < 0 ? 'circuit-open' : ticket;
  }

  /**
   * Sends `body`, after `admit`. `ended` is called exactly once, when the call's outcome is set. `traceparent`: the W3C
   * trace context that the bidder gets. Never throws.
   */
  call(
    ticket: number,
    body: Buffer,
    startedMs: number,
    deadlineMs: number,
    ended: (call: BidderCall) => void,
    traceparent?: string,
  ): BidderCall {
    const channel = this.#channels!.take(startedMs);
    const call = new BidderCall(
      this,
      channel,
      ticket,
      startedMs,
      deadlineMs,
      this.#settings.maxResponseBytes,
      this.#clock,
      ended,
    );
    this.#openCalls++;
    this.#recent.begun();
    channel.send(call, body, traceparent);
    return call;
  }

  notConnected(problem: ConnectionProblem): void {
    this.#recent.notConnected(problem);
  }

  settled(call: BidderCall): void {
    const nowMs = this.#clock.monotonic();
    const { ticket, latencyMs } = call;
    const outcome = call.outcome!;
    if (latencyMs > 0) this.#observe?.(endOf(outcome), latencyMs);
    if (call.status !== 0) this.#recent.forgetConnectionProblem();
    if ('document' in outcome || outcome.reason === 'no-bid') {
      this.#breaker.answered(ticket, nowMs);
      this.#backOff.coped(nowMs);
      this.#recent.answered(nowMs, latencyMs);
    } else if (outcome.reason === 'timeout') {
      this.#breaker.timedOut(ticket, nowMs);
      this.#backOff.overloaded(nowMs);
      this.#recent.timedOut(nowMs, latencyMs);
    } else if (outcome.reason === 'insufficient-time') {
      this.#breaker.withdrawn(ticket);
    } else {
      this.#breaker.failed(ticket, nowMs);
      if (OVERLOADED.has(call.status)) this.#backOff.overloaded(nowMs);
      else this.#backOff.coped(nowMs);
      this.#recent.failed(nowMs, latencyMs);
    }
  }

  /** Forgets all earlier observations of the bidder. */
  #resetHealth(): void {
    this.#breaker.reset();
    this.#backOff.reset();
  }

  released(): void {
    this.#openCalls--;
  }

  /** Closes the connections; calls under way fail. */
  close(): void {
    this.#channels?.destroy();
  }
}

function endOf(outcome: CallOutcome): CallEnd {
  if ('document' in outcome) return 'answered';
  if (outcome.reason === 'no-bid') return 'no_bid';
  return outcome.reason === 'timeout' ? 'timeout' : 'failed';
}

/** Too Many Requests and Service Unavailable: the bidder is overloaded (RFC 6585 §4, RFC 9110 §15.6.4). */
const OVERLOADED: ReadonlySet<number> = new Set([429, 503]);

/** The DSP's own limit, and at most the edge's limit for one bidder. */
function callsPerSecond({ qpsLimit }: DspProjection, { maxCallsPerSecond }: BidderSettings): number {
  return Math.min(qpsLimit, maxCallsPerSecond);
}
