import type { Logger } from '../actor/logger.ts';
import type { Clock } from '../ports/clock.ts';
import type { Member, MemberCondition } from '../ports/leases.ts';
import { afterAnswers } from './after-answers.ts';
import type { BrokenLaws } from './laws.ts';
import type { NodeMetrics } from './metrics.ts';
import type { StoreWatch } from './store-watch.ts';
import type { Tuning } from './tuning.ts';

/** The interval at which the store's answers are counted. */
const LOOK_MS = 250;
/** While a probe waits for its answer, the next one is sent this long after it. */
const NEXT_PROBE_MS = 1_000;
/** A doubtful member that has handed nothing over becomes fit when its store has answered for this long. */
const DOUBT_ENDS_AFTER_MS = 1_000;
/** Session failures count as evidence about the store for this long: longer than a save without a response takes. */
const SESSIONS_FAIL_MS = 10_000;
/** The number of relapses in a row after which probation no longer gets longer: 16 times as long as the first. */
const MOST_RELAPSES = 4;

interface FitnessDeps {
  readonly clock: Clock;
  readonly tuning: Tuning;
  readonly brokenLaws: BrokenLaws;
  readonly metrics: NodeMetrics;
  readonly logger: Logger;
}

/**
 * Whether this node can hold partitions, for which it needs its store. A node becomes doubtful when the store has not
 * answered for a while, or when its sessions fail one after the other because of the store. It becomes unfit, and hands
 * over, once another member has been fit for so long that it would be doubtful too if the store were unavailable for
 * all, and its store has answered it since. So a store that is unavailable or slow for all moves no partitions, however
 * late the members of a busy machine notice.
 */
export class Fitness {
  readonly #deps: FitnessDeps;
  readonly #watch: StoreWatch;
  /** Makes the cheapest possible call to the store. */
  readonly #probe: () => Promise<unknown>;
  /**
   * Called when the node becomes doubtful, and when it may have become fit, so that the other members learn of it now.
   */
  readonly #changed: () => void;
  #fitness: MemberCondition['fitness'] = 'fit';
  #lookedAt: number;
  #answersSeen = 0;
  /** The time since the last answer during which calls were made, ms. */
  #silentMs = 0;
  /** The time since the store was silent last, ms. */
  #answeringMs = 0;
  /** Until when the node is doubtful because its sessions fail, and the number of saves at that time. */
  #sessionsFail: { readonly untilMs: number; readonly saves: number } | null = null;
  #doubtedAt = 0;
  /** The time since which another member has been fit during the current doubt. */
  #othersFitSince: number | null = null;
  /** How often its store has answered each other member, and when this was last seen to have risen. */
  #othersAnswers: ReadonlyMap<string, { readonly answers: number; readonly risenAt: number }> = new Map();
  #probes = 0;
  #probedAt = 0;
  #relapses = 0;
  #fitSince: number;
  #cancel: () => void = () => {};

  constructor(deps: FitnessDeps, watch: StoreWatch, probe: () => Promise<unknown>, changed: () => void) {
    this.#deps = deps;
    this.#watch = watch;
    this.#probe = probe;
    this.#changed = changed;
    this.#lookedAt = deps.clock.monotonic();
    this.#fitSince = this.#lookedAt;
    deps.metrics.nodeFit.set(1);
  }

  get fitness(): MemberCondition['fitness'] {
    return this.#fitness;
  }

  /** The number of calls that the store has answered. */
  get answers(): number {
    return this.#watch.answers;
  }

  start(): void {
    this.#lookedAt = this.#deps.clock.monotonic();
    this.#lookLater();
  }

  stop(): void {
    this.#cancel();
  }

  /** Whether the store answers no call at present. */
  get storeIsSilent(): boolean {
    return this.#silentMs >= NEXT_PROBE_MS;
  }

  /**
   * Must be called when sessions fail in a row because of the store and none saves, although the store answers other
   * calls.
   */
  noteSessionsFail(): void {
    const untilMs = this.#deps.clock.monotonic() + SESSIONS_FAIL_MS;
    this.#sessionsFail = { untilMs, saves: this.#watch.saves };
    if (this.#fitness === 'fit') this.#doubt('its sessions fail one after the other, and none saves');
  }

  /** Decides whether this node is unfit, given the conditions of the others. */
  noteMembers(members: readonly Member[], self: string): void {
    const { clock, tuning, brokenLaws, logger, metrics } = this.#deps;
    const now = clock.monotonic();
    const others = members.filter(({ name }) => name !== self);
    this.#noteAnswers(others, now);
    if (this.#fitness !== 'doubtful') return;
    const fit = others.filter(({ condition }) => (condition?.fitness ?? 'fit') === 'fit');
    if (fit.length === 0 || !this.#inDoubt) this.#othersFitSince = null;
    else this.#othersFitSince ??= now;
    if (this.#othersFitSince === null || brokenLaws.has('unfit-hands-over')) return;
    const dueAt = Math.max(this.#othersFitSince, this.#doubtedAt) + tuning.doubtGraceMs;
    if (now < dueAt || !fit.some((member) => this.#isServed(member, dueAt))) return;
    this.#fitness = 'unfit';
    this.#answeringMs = 0;
    metrics.nodeFit.set(0);
    logger.warn(
      {},
      'this node is unfit: its store does not answer while other nodes are fit; it hands its partitions over',
    );
  }

  #noteAnswers(others: readonly Member[], now: number): void {
    const before = this.#othersAnswers;
    this.#othersAnswers = new Map(
      others.map(({ name, condition }) => {
        const { answers, risenAt } = before.get(name) ?? { answers: 0, risenAt: Number.NEGATIVE_INFINITY };
        const counted = condition?.answers ?? 0;
        return [name, { answers: counted, risenAt: before.has(name) && counted > answers ? now : risenAt }];
      }),
    );
  }

  /** Whether its store is known to answer the member since then; of a member that does not count, it is believed. */
  #isServed({ name, condition }: Member, sinceMs: number): boolean {
    return condition?.answers === undefined || this.#othersAnswers.get(name)!.risenAt >= sinceMs;
  }

  get #inDoubt(): boolean {
    return this.#sessionsFail !== null || this.#silentMs >= this.#deps.tuning.storeSilenceMs;
  }

  /** Each relapse soon after the last one doubles the next probation. */
  get #probationMs(): number {
    return this.#deps.tuning.fitAfterMs * 2 ** this.#relapses;
  }

  #lookLater(): void {
    this.#cancel = afterAnswers(this.#deps.clock, LOOK_MS, () => {
      this.#look();
      this.#lookLater();
    });
  }

  #look(): void {
    const { clock, tuning } = this.#deps;
    const now = clock.monotonic();
    // A process that was paused did not wait for an answer meanwhile.
    const passedMs = Math.min(now - this.#lookedAt, 2 * LOOK_MS);
    this.#lookedAt = now;
    const answered = this.#watch.answers > this.#answersSeen;
    this.#answersSeen = this.#watch.answers;
    this.#silentMs += passedMs;
    // What a fit member may put up with is no outage: probation would not end where a store is slow for all.
    const outage = this.#silentMs >= tuning.storeSilenceMs;
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
    const ended = () => {
      this.#probes--;
    };
    this.#probe().then(ended, ended);
  }

  #doubt(why: string): void {
    this.#fitness = 'doubtful';
    this.#doubtedAt = this.#deps.clock.monotonic();
    this.#othersFitSince = null;
    this.#answeringMs = 0;
    this.#deps.logger.warn({ why }, 'this node is doubtful: it checks whether other nodes are fit');
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
