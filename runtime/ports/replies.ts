/** Carries answers of asks back to the process that asked. At most once: a lost reply is a timeout at the asker. */
export interface ReplyChannel {
  /**
   * Delivers everything sent to `address` to `receive`, from when the promise resolves. `missed` is called each time when for a while
   * nothing was heard, and now it is again: what was sent in between is lost.
   */
  listen(address: string, receive: (payload: string) => void, missed?: () => void): Promise<void>;
  /** Resolves when handed over; whether anybody listened is unknown. Never rejects for an absent listener. */
  send(address: string, payload: string): Promise<void>;
}
