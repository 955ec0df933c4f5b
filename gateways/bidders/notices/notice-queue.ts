import type { Notice, NoticeKind } from './notice.ts';

/** Order of sending: billing, then wins, then losses. */
const ORDER: readonly NoticeKind[] = ['billing', 'win', 'loss'];

/** Notices of one host that are to be sent, each kind in the order of arrival. */
export class NoticeQueue {
  readonly #waiting: Readonly<Record<NoticeKind, Notice[]>> = { billing: [], win: [], loss: [] };

  get size(): number {
    const { billing, win, loss } = this.#waiting;
    return billing.length + win.length + loss.length;
  }

  /** Number of waiting notices of one kind. */
  waiting(kind: NoticeKind): number {
    return this.#waiting[kind].length;
  }

  add(notice: Notice): void {
    this.#waiting[notice.kind].push(notice);
  }

  /** Takes notices while `mayGo` accepts their kind, in the order of kinds. */
  take(mayGo: (kind: NoticeKind) => boolean, send: (notice: Notice) => void): void {
    for (const kind of ORDER) {
      const waiting = this.#waiting[kind];
      let taken = 0;
      while (taken < waiting.length && mayGo(kind)) send(waiting[taken++]!);
      waiting.splice(0, taken);
    }
  }

  takeAll(): readonly Notice[] {
    return ORDER.flatMap((kind) => this.#waiting[kind].splice(0));
  }
}
