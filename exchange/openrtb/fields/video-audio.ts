import { BANNER } from './banner.ts';
import { DURATION_FLOOR } from './duration-floor.ts';
import {
  count,
  field,
  filledListOf,
  flag,
  integer,
  type Known,
  listOf,
  objectOf,
  passedOn,
  price,
  required,
  tableOf,
  text,
} from './field.ts';

/** The fields that video and audio share (OpenRTB 2.6 §3.2.7, §3.2.8). */
const playableFields = {
  mimes: required(filledListOf(text)),
  minduration: count,
  maxduration: count,
  protocols: listOf(integer),
  startdelay: integer,
  sequence: count,
  battr: listOf(integer),
  maxextended: integer,
  minbitrate: count,
  maxbitrate: count,
  delivery: listOf(integer),
  companionad: listOf(objectOf(BANNER)),
  companiontype: listOf(integer),
  api: listOf(integer),
  durfloors: field(listOf(objectOf(DURATION_FLOOR)), { in25: 'absent' }),
  /** The seconds of a pod's dynamic portion (§7.6). */
  poddur: field(count, { in25: 'absent' }),
  podid: field(text, { in25: 'absent' }),
  podseq: field(integer, { in25: 'absent' }),
  slotinpod: field(integer, { in25: 'absent' }),
  maxseq: field(count, { in25: 'absent' }),
  /** The only durations allowed, in seconds; they replace `minduration` and `maxduration`. */
  rqddurs: field(listOf(integer), { in25: 'absent' }),
  /** A floor per second, in CPM. */
  mincpmpersec: field(price, { in25: 'absent' }),
  poddedupe: field(listOf(integer), { in25: 'absent', comparison: 'hidden' }),
};

const videoFields = {
  ...playableFields,
  w: count,
  h: count,
  placement: integer,
  plcmt: field(integer, { in25: 'absent' }),
  linearity: integer,
  skip: flag,
  pos: integer,
  protocol: passedOn('number'),
  skipmin: passedOn('number'),
  skipafter: passedOn('number'),
  boxingallowed: passedOn('number'),
  playbackmethod: passedOn('number'),
  playbackend: passedOn('number'),
};

/** OpenRTB 2.6 §3.2.7 */
export interface Video extends Known<typeof videoFields> {}

export const VIDEO = tableOf<Video>(videoFields);

const audioFields = {
  ...playableFields,
  feed: integer,
  stitched: flag,
  nvol: passedOn('number'),
};

/** OpenRTB 2.6 §3.2.8 */
export interface Audio extends Known<typeof audioFields> {}

export const AUDIO = tableOf<Audio>(audioFields);
