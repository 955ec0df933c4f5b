import { field, finite, integer, type Known, passedOn, tableOf, text } from './field.ts';

const fields = {
  lat: field(finite, { viewer: 'coordinate' }),
  lon: field(finite, { viewer: 'coordinate' }),
  type: integer,
  country: field(text, { viewer: 'country', comparison: 'country' }),
  region: field(text, { viewer: 'country' }),
  metro: field(text, { viewer: 'city' }),
  city: field(text, { viewer: 'city' }),
  zip: field(text, { viewer: 'exact-place' }),
  utcoffset: field(integer, { viewer: 'country' }),
  accuracy: passedOn('number', { viewer: 'exact-place' }),
  lastfix: passedOn('number', { viewer: 'exact-place' }),
  ipservice: passedOn('number'),
  regionfips104: passedOn('text'),
};

/** OpenRTB 2.6 §3.2.19 */
export interface Geo extends Known<typeof fields> {}

export const GEO = tableOf<Geo>(fields, { ext: { viewer: 'exact-place' } });
