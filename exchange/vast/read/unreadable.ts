import type { VastRefusal } from '../read-vast.ts';

/** Thrown inside the reader alone: `readVast` answers it. */
export class Unreadable extends Error {
  readonly reason: VastRefusal;

  constructor(reason: VastRefusal, message: string) {
    super(message);
    this.reason = reason;
  }
}
