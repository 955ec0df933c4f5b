/**
 * Why the exchange cannot add its impression tracker to markup. Such a bid is refused, since its impressions could not
 * be billed.
 */
export type InjectionRefusal =
  | 'markup-empty'
  | 'vast-malformed'
  | 'vast-version-unsupported'
  | 'vast-without-ad'
  /** The document is of another version than the player takes, or a wrapper where it takes none. */
  | 'vast-not-taken'
  | 'vpaid-unsupported'
  | 'native-malformed';

export type Injection =
  | { readonly ok: true; readonly adm: string }
  | { readonly ok: false; readonly reason: InjectionRefusal; readonly message: string };

export function refuseInjection(reason: InjectionRefusal, message: string): Injection {
  return { ok: false, reason, message };
}
