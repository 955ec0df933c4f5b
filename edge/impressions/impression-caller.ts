/**
 * The caller of an impression: the data that a verdict of invalid traffic may be based on. None of it is stored with
 * the impression.
 */
export interface ImpressionCaller {
  /** Address of the caller, as the socket or the outermost of the exchange's own proxies saw it; '' when unknown. */
  readonly address: string;
  /** `User-Agent`; '' when there is none. */
  readonly userAgent: string;
  /**
   * `X-Device-IP`: the viewer's address, as forwarded by a server that calls on a device's behalf (VAST 4.2 §1.7); null
   * without the header, or where it is empty.
   */
  readonly deviceAddress: string | null;
  /** `X-Device-User-Agent`: the viewer's user agent, forwarded likewise. */
  readonly deviceUserAgent: string | null;
  /** Another header of the call, by its name in lower case; null when absent. */
  header(name: string): string | null;
}
