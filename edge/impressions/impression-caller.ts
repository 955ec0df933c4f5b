/** Who calls for an impression: what a verdict on the call may be found by. None of it is stored with the impression. */
export interface ImpressionCaller {
  /** Of the caller, as the socket or the outermost of our own proxies saw it; '' when that is not known. */
  readonly address: string;
  /** `User-Agent`; '' when there is none. */
  readonly userAgent: string;
  /** `X-Device-IP`: the viewer's address, as a server that calls on a device's behalf forwards it (VAST 4.2 §1.7); null when none is. */
  readonly deviceAddress: string | null;
  /** `X-Device-User-Agent`: the viewer's user agent, forwarded alike. */
  readonly deviceUserAgent: string | null;
  /** Another header of the call, by its name in lower case; null when it is not there. */
  header(name: string): string | null;
}
