/** The regions where an exchange can have edges; a deployment need not have all. */
export const REGIONS = ['fra', 'nyc', 'lon'] as const;

export type Region = (typeof REGIONS)[number];
