import type { Impression } from '#actors/impression-rollup/messages';

/** One at a CPM of 2.50, with a fee of 15 %. */
export const IMPRESSION: Impression = {
  id: 'a',
  auction: 'auction-1',
  publisher: 'publisher-1',
  dsp: 'dsp-1',
  crid: 'crid-1',
  priceCpmMicros: 2_500_000,
  feePpm: 150_000,
  region: 'fra',
};
