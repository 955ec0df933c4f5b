import { numeric } from '../shape.ts';
import { anyObject, count, field, flag, integer, type Known, objectOf, passedOn, tableOf, text } from './field.ts';
import { GEO } from './geo.ts';

const BRAND = { brand: 'text', version: 'text' } as const;

const fields = {
  geo: objectOf(GEO),
  dnt: flag,
  lmt: flag,
  ua: field(text, { viewer: 'trait' }),
  /** OpenRTB 2.6 §3.2.29. */
  sua: field(
    anyObject({
      model: 'text',
      architecture: 'text',
      bitness: 'text',
      mobile: 'number',
      source: 'number',
      browsers: BRAND,
      platform: BRAND,
    }),
    { in25: 'absent', viewer: 'trait' },
  ),
  ip: field(text, { viewer: 'address' }),
  ipv6: field(text, { viewer: 'address' }),
  devicetype: integer,
  make: text,
  model: text,
  os: text,
  osv: field(text, { comparison: 'version' }),
  w: count,
  h: count,
  js: flag,
  language: text,
  connectiontype: integer,
  ifa: field(text, { viewer: 'id' }),
  didsha1: passedOn('text', { viewer: 'id' }),
  didmd5: passedOn('text', { viewer: 'id' }),
  dpidsha1: passedOn('text', { viewer: 'id' }),
  dpidmd5: passedOn('text', { viewer: 'id' }),
  macsha1: passedOn('text', { viewer: 'id' }),
  macmd5: passedOn('text', { viewer: 'id' }),
  hwv: passedOn('version', { viewer: 'trait' }),
  flashver: passedOn('text'),
  langb: passedOn('text', { in25: 'absent' }),
  carrier: passedOn('text'),
  mccmnc: passedOn('text'),
  ppi: passedOn('number'),
  pxratio: passedOn('number'),
  geofetch: passedOn('number'),
};

/** OpenRTB 2.6 §3.2.18 */
export interface Device extends Known<typeof fields> {}

/** In `ext`, `atts` is a number: Apple's statement on whether tracking is authorised. */
export const DEVICE = tableOf<Device>(fields, { ext: { toldWithoutIds: { atts: numeric } } });
