import type { Clock } from '#runtime/ports/clock';
import type { Notice, NoticeKind } from './notice.ts';
import type { RetryPolicy } from './settings.ts';

/** Notices of one host that wait for their next attempt. One timer serves all: there may be tens of thousands. */
export class RetryQueue {
  readonly #policies: Readonly<Record<NoticeKind, RetryPolicy>>;
  readonly #clock: Clock;
  readonly #due: (notices: readonly Notice[]) => void;
  /** Waiting notices by kind. Notices of one kind wait equally long, so each list is in the order of due times. */
  readonly #waiting: Readonly<Record<NoticeKind, Notice[]>> = { win: [], billing: [], loss: [] };
  #timer: { readonly atMs: number; readonly cancel: () => void } | null = null;

  constructor(
    policies: Readonly<Record<NoticeKind, RetryPolicy>>,
    clock: Clock,
    due: (notices: readonly Notice[]) => void,
  ) {
    this.#policies = policies;
    this.#clock = clock;
    this.#due = due;
  }

  get size(): number {
    const { win, billing, loss } = this.#waiting;
    return win.length + billing.length + loss.length;
  }

  /** False when the notice has had all its attempts. */
  add(notice: Notice): boolean {
    const { delayMs, attempts } = this.#policies[notice.kind];
    if (notice.attempts >= attempts) return false;
    notice.dueAtMs = this.#clock.monotonic() + delayMs;
    this.#waiting[notice.kind].push(notice);
    if (this.#timer === null || notice.dueAtMs < this.#timer.atMs) this.#wakeAt(notice.dueAtMs);
    return true;
  }

  /** Takes all notices, due or not, and leaves none. */
  takeAll(): readonly Notice[] {
    this.#timer?.cancel();
    this.#timer = null;
    return Object.values(this.#waiting).flatMap((list) => list.splice(0));
  }

  #wakeAt(atMs: number): void {
    this.#timer?.cancel();
    const cancel = this.#clock.after(Math.max(0, atMs - this.#clock.monotonic()), () => this.#wake());
    this.#timer = { atMs, cancel };
  }

  #wake(): void {
    this.#timer = null;
    const nowMs = this.#clock.monotonic();
    const due: Notice[] = [];
    let nextMs = Number.POSITIVE_INFINITY;
    for (const list of Object.values(this.#waiting)) {
      const later = list.findIndex(({ dueAtMs }) => dueAtMs > nowMs);
      due.push(...list.splice(0, later === -1 ? list.length : later));
      nextMs = Math.min(nextMs, list[0]?.dueAtMs ?? nextMs);
    }
    if (nextMs < Number.POSITIVE_INFINITY) this.#wakeAt(nextMs);
    this.#due(due);
  }
}
