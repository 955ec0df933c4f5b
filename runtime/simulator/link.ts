/** A long way between processes and servers: messages take longer on it, and none arrives while it is cut. */
export class Link {
  /** The time of one way over the link, ms. */
  readonly oneWayMs: number;
  isCut = false;

  constructor(oneWayMs: number) {
    this.oneWayMs = oneWayMs;
  }
}
