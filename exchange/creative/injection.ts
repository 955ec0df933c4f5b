/**
 * Why the exchange does not sell markup: it cannot add its impression tracker to it, or the imp does not take it. Such
 * a bid is refused.
 */
export type InjectionRefusal =
  | 'markup-empty'
  | 'vast-malformed'
  | 'vast-version-unsupported'
  | 'vast-without-ad'
  /** The document is of another version than the player takes, or a wrapper where it takes none. */
  | 'vast-not-taken'
  | 'vpaid-unsupported'
  /** A linear ad is shorter or longer than the imp takes, or than its bid said. */
  | 'duration-not-allowed'
  /** A linear ad has no file of a type that the imp takes. */
  | 'media-not-allowed'
  | 'native-malformed'
  /** The response lacks an asset that the request requires. */
  | 'native-asset-missing';

export type Injection =
  | { readonly ok: true; readonly adm: string }
  | { readonly ok: false; readonly reason: InjectionRefusal; readonly message: string };

export function refuseInjection(reason: InjectionRefusal, message: string): Injection {
  return { ok: false, reason, message };
}
