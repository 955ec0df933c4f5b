/** Where an exchange has edges; one deployment need not have all. */
export const REGIONS = ['fra', 'nyc', 'lon'] as const;

export type Region = (typeof REGIONS)[number];
