import type { Clock } from '../../ports/clock.ts';

/** Those who wait for something to come; one call lets all of them go. */
export class Waiting {
  readonly #clock: Clock;
  readonly #waiting = new Set<(woken: boolean) => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves at the next `end` with what that was told, or after `waitMs` with false. */
  begin(waitMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const done = (woken: boolean) => {
        cancel();
        this.#waiting.delete(done);
        resolve(woken);
      };
      const cancel = this.#clock.after(waitMs, () => done(false));
      this.#waiting.add(done);
    });
  }

  /** `woken`: whether they shall go even if what they wait for is not there. */
  end(woken: boolean): void {
    for (const done of [...this.#waiting]) done(woken);
  }
}
