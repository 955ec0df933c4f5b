import { field, flag, integer, type Known, listOf, objectOf, passedOn, tableOf, text } from './field.ts';

const ORGANISATION = { id: 'text', name: 'text', cat: 'text', domain: 'text', cattax: 'number' } as const;
const NETWORK = { id: 'text', name: 'text', domain: 'text' } as const;

const publisherFields = {
  id: text,
  domain: text,
  cat: listOf(text),
  name: passedOn('text'),
  cattax: passedOn('number', { in25: 'absent' }),
};

/** OpenRTB 2.6 §3.2.15 */
export interface Publisher extends Known<typeof publisherFields> {}

export const PUBLISHER = tableOf<Publisher>(publisherFields);

const contentFields = {
  id: text,
  genre: text,
  cat: listOf(text),
  len: integer,
  livestream: flag,
  language: text,
  title: passedOn('text'),
  series: passedOn('text'),
  season: passedOn('text'),
  artist: passedOn('text'),
  album: passedOn('text'),
  isrc: passedOn('text'),
  url: passedOn('text', { viewer: 'url' }),
  contentrating: passedOn('text'),
  userrating: passedOn('text'),
  keywords: passedOn('text'),
  kwarray: passedOn('text', { in25: 'absent' }),
  langb: passedOn('text', { in25: 'absent' }),
  episode: passedOn('number'),
  gtax: passedOn('number', { in25: 'absent' }),
  genres: passedOn('number', { in25: 'absent' }),
  cattax: passedOn('number', { in25: 'absent' }),
  prodq: passedOn('number'),
  videoquality: passedOn('number'),
  context: passedOn('number'),
  qagmediarating: passedOn('number'),
  sourcerelationship: passedOn('number'),
  embeddable: passedOn('number'),
  producer: passedOn(ORGANISATION),
  network: passedOn(NETWORK, { in25: 'absent' }),
  channel: passedOn(NETWORK, { in25: 'absent' }),
};

/** OpenRTB 2.6 §3.2.16 */
export interface Content extends Known<typeof contentFields> {}

export const CONTENT = tableOf<Content>(contentFields);

/** The fields that site, app and dooh share. */
const inventoryFields = {
  id: text,
  domain: text,
  cat: listOf(text),
  publisher: objectOf(PUBLISHER),
  content: objectOf(CONTENT),
  name: passedOn('text'),
  keywords: passedOn('text'),
};

/** The fields that only site and app share. */
const publishedFields = {
  ...inventoryFields,
  sectioncat: passedOn('text'),
  pagecat: passedOn('text'),
  kwarray: passedOn('text', { in25: 'absent' }),
  inventorypartnerdomain: passedOn('text', { in25: 'ext' }),
  cattax: passedOn('number', { in25: 'absent' }),
  privacypolicy: passedOn('number'),
};

const siteFields = {
  ...publishedFields,
  page: field(text, { viewer: 'url' }),
  ref: field(text, { viewer: 'url' }),
  mobile: flag,
  search: passedOn('text', { viewer: 'trait' }),
};

/** OpenRTB 2.6 §3.2.13 */
export interface Site extends Known<typeof siteFields> {}

export const SITE = tableOf<Site>(siteFields);

const appFields = {
  ...publishedFields,
  bundle: text,
  storeurl: text,
  ver: passedOn('version'),
  paid: passedOn('number'),
};

/** OpenRTB 2.6 §3.2.14 */
export interface App extends Known<typeof appFields> {}

export const APP = tableOf<App>(appFields);

const doohFields = {
  ...inventoryFields,
  /** The standard has no such field in dooh; a caller's is checked like that of a site. */
  cat: field(listOf(text), { comparison: 'hidden' }),
  venuetype: passedOn('text'),
  venuetypetax: passedOn('number'),
};

/** OpenRTB 2.6 §3.2.32 (2.6 only) */
export interface Dooh extends Known<typeof doohFields> {}

export const DOOH = tableOf<Dooh>(doohFields);
