/**
 * Carries the replies of asks back to the process that asked. At most once: the asker sees a lost reply as a timeout.
 */
export interface ReplyChannel {
  /**
   * Delivers everything sent to `address` to `receive`, from when the promise resolves. Calls `missed` each time the
   * channel works again after an interruption: replies sent during it are lost.
   */
  listen(address: string, receive: (payload: string) => void, missed?: () => void): Promise<void>;
  /**
   * Resolves when the reply is handed over; whether a listener received it is unknown. Never rejects for an absent
   * listener.
   */
  send(address: string, payload: string): Promise<void>;
}
