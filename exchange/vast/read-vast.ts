import type { VastAd } from './ad.ts';
import type { VastWrapper } from './wrapper.ts';

/** Why a document cannot be served. */
export type VastRefusal =
  | 'vast-malformed'
  | 'vast-version-unsupported'
  | 'vast-without-ad'
  | 'vast-too-large'
  | 'vast-without-media'
  | 'vpaid-unsupported';

export type VastRead =
  | { readonly ok: true; readonly version: string; readonly ads: readonly (VastAd | VastWrapper)[] }
  | { readonly ok: false; readonly reason: VastRefusal; readonly message: string };
