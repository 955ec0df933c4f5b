/** A message to another actor. `to` is its address, `kind/id`. */
export interface Send {
  readonly to: string;
  readonly type: string;
  readonly body: unknown;
}

/** Everything that a reducer may use besides its state and the message. It is the same on every replay. */
export interface Context {
  /** The actor's own id. */
  readonly id: string;
  /** `kind/id`. */
  readonly address: string;
  /** The log time of the message, ms since the Unix epoch. */
  readonly nowMs: number;
  /** The message's log position. */
  readonly position: string;
  /** Uniform in [0, 1), seeded by the message's position and the actor's address. */
  random(): number;
}
