/** Carries answers of asks back to the process that asked. At most once: a lost reply is a timeout at the asker. */
export interface ReplyChannel {
  /** Delivers everything sent to `address` to `receive`, from when the promise resolves. */
  listen(address: string, receive: (payload: string) => void): Promise<void>;
  /** Resolves when handed over; whether anybody listened is unknown. Never rejects for an absent listener. */
  send(address: string, payload: string): Promise<void>;
}
