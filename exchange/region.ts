/** The regions where an exchange can have edges; a deployment need not have all. */
export const REGIONS = ['fra', 'nyc', 'lon'] as const;

export type Region = (typeof REGIONS)[number];

/** Where the edges of a region are reached. */
export interface RegionAddress {
  readonly code: Region;
  /** What URLs of its edges begin with, without a slash at its end: `https://nyc.ads.example`. */
  readonly url: string;
}
