import type { Logger } from '../actor/logger.ts';
import type { Clock } from '../ports/clock.ts';
import type { Member, MemberCondition } from '../ports/leases.ts';
import type { BrokenLaws } from './laws.ts';
import type { NodeMetrics } from './metrics.ts';
import type { StoreWatch } from './store-watch.ts';
import type { Tuning } from './tuning.ts';

/** How often the store's answers are counted. */
const LOOK_MS = 250;
/** While a probe waits for its answer, the next is sent so long after it. */
const NEXT_PROBE_MS = 1_000;
/** A member that doubted itself, and has handed nothing over, trusts its store again after so long. */
const DOUBT_ENDS_AFTER_MS = 1_000;
/** Sessions that failed longer ago say nothing of how the store is now: longer than a save that is not answered takes. */
const SESSIONS_FAIL_MS = 10_000;
/** Past so many relapses in a row a member's time of probation grows no more: 16 times as long. */
const MOST_RELAPSES = 4;

interface FitnessDeps {
  readonly clock: Clock;
  readonly tuning: Tuning;
  readonly brokenLaws: BrokenLaws;
  readonly metrics: NodeMetrics;
  readonly logger: Logger;
}

/**
 * Whether this node can hold partitions: it needs its store for that. One that has had no answer for a while, or whose sessions fail one
 * after the other for the store's sake, doubts itself; it is unfit, and hands over, once another member has been seen to be fit for
 * long enough that it would doubt itself too, were the store away for all. So a store that is away for all moves nothing.
 */
export class Fitness {
  readonly #deps: FitnessDeps;
  readonly #watch: StoreWatch;
  /** Asks the store for next to nothing. */
  readonly #probe: () => Promise<unknown>;
  /** Called when the node doubts itself, and when it may have become fit: others should know now. */
  readonly #changed: () => void;
  #fitness: MemberCondition['fitness'] = 'fit';
  #lookedAt: number;
  #answersSeen = 0;
  /** Since the last answer, as it was asked all the time. */
  #silentMs = 0;
  /** Since the last silence. */
  #answeringMs = 0;
  /** Until when the node doubts itself because its sessions fail, and the saves it had seen then. */
  #sessionsFail: { readonly untilMs: number; readonly saves: number } | null = null;
  #doubtedAt = 0;
  /** Since when, in its present doubt, another member is seen to be fit. */
  #othersFitSince: number | null = null;
  #probes = 0;
  #probedAt = 0;
  #relapses = 0;
  #fitSince: number;
  #cancel: () => void = () => {};

  constructor(parts: FitnessDeps, watch: StoreWatch, probe: () => Promise<unknown>, changed: () => void) {
    this.#deps = parts;
    this.#watch = watch;
    this.#probe = probe;
    this.#changed = changed;
    this.#lookedAt = parts.clock.monotonic();
    this.#fitSince = this.#lookedAt;
    parts.metrics.nodeFit.set(1);
  }

  get fitness(): MemberCondition['fitness'] {
    return this.#fitness;
  }

  start(): void {
    this.#lookedAt = this.#deps.clock.monotonic();
    this.#lookLater();
  }

  stop(): void {
    this.#cancel();
  }

  /** Whether the store leaves without an answer whatever it is asked. */
  get storeIsSilent(): boolean {
    return this.#silentMs >= NEXT_PROBE_MS;
  }

  /** Sessions fail in a row for the store's sake and none saves, though it answers other calls. */
  noteSessionsFail(): void {
    const untilMs = this.#deps.clock.monotonic() + SESSIONS_FAIL_MS;
    this.#sessionsFail = { untilMs, saves: this.#watch.saves };
    if (this.#fitness === 'fit') this.#doubt('its sessions fail one after the other, and none saves');
  }

  /** Draws the conclusion from how the others are. */
  noteMembers(members: readonly Member[], self: string): void {
    if (this.#fitness !== 'doubtful') return;
    const { clock, tuning, brokenLaws, logger, metrics } = this.#deps;
    const now = clock.monotonic();
    const othersFit = members.some(({ name, condition }) => name !== self && (condition?.fitness ?? 'fit') === 'fit');
    if (!othersFit) this.#othersFitSince = null;
    else this.#othersFitSince ??= now;
    if (this.#othersFitSince === null) return;
    if (now - Math.max(this.#othersFitSince, this.#doubtedAt) < tuning.doubtGraceMs) return;
    if (!this.#inDoubt || brokenLaws.has('unfit-hands-over')) return;
    this.#fitness = 'unfit';
    this.#answeringMs = 0;
    metrics.nodeFit.set(0);
    logger.warn({}, 'this node is unfit: its store does not answer it, while others are well; it hands over');
  }

  get #inDoubt(): boolean {
    return this.#sessionsFail !== null || this.#silentMs >= this.#deps.tuning.storeSilenceMs;
  }

  /** Each relapse soon after the last makes the next probation longer. */
  get #probationMs(): number {
    return this.#deps.tuning.fitAfterMs * 2 ** this.#relapses;
  }

  #lookLater(): void {
    this.#cancel = this.#deps.clock.after(LOOK_MS, () => {
      this.#look();
      this.#lookLater();
    });
  }

  #look(): void {
    const { clock, tuning } = this.#deps;
    const now = clock.monotonic();
    // A process that was paused has not waited for an answer meanwhile.
    const passedMs = Math.min(now - this.#lookedAt, 2 * LOOK_MS);
    this.#lookedAt = now;
    const answered = this.#watch.answers > this.#answersSeen;
    this.#answersSeen = this.#watch.answers;
    this.#silentMs += passedMs;
    const outage = this.#silentMs > 2 * NEXT_PROBE_MS;
    if (outage) this.#answeringMs = 0;
    if (answered) {
      this.#answeringMs += outage ? passedMs : this.#silentMs;
      this.#silentMs = 0;
    }
    const { saves = 0, untilMs = 0 } = this.#sessionsFail ?? {};
    if (this.#watch.saves > saves || untilMs <= now) this.#sessionsFail = null;
    this.#ask(now);
    if (this.#fitness === 'fit') {
      if (now - this.#fitSince >= tuning.fitAfterMs * 2 ** MOST_RELAPSES) this.#relapses = 0;
      if (this.#silentMs >= tuning.storeSilenceMs) this.#doubt(`its store has not answered for ${this.#silentMs} ms`);
    } else if (this.#fitness === 'doubtful') {
      if (!this.#inDoubt && this.#answeringMs >= DOUBT_ENDS_AFTER_MS) this.#trust();
    } else if (this.#answeringMs >= this.#probationMs) {
      this.#relapses = Math.min(MOST_RELAPSES, this.#relapses + 1);
      this.#trust();
    }
  }

  #ask(now: number): void {
    if (this.#probes > 0 && now - this.#probedAt < NEXT_PROBE_MS) return;
    this.#probes++;
    this.#probedAt = now;
    const over = () => {
      this.#probes--;
    };
    this.#probe().then(over, over);
  }

  #doubt(why: string): void {
    this.#fitness = 'doubtful';
    this.#doubtedAt = this.#deps.clock.monotonic();
    this.#othersFitSince = null;
    this.#answeringMs = 0;
    this.#deps.logger.warn({ why }, 'this node doubts itself, and looks whether others are well');
    this.#changed();
  }

  #trust(): void {
    this.#fitness = 'fit';
    this.#sessionsFail = null;
    this.#fitSince = this.#deps.clock.monotonic();
    this.#deps.metrics.nodeFit.set(1);
    this.#deps.logger.info({}, 'this node is fit again: its store answers');
    this.#changed();
  }
}
