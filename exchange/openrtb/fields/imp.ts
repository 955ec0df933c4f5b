import { fault } from '../shape.ts';
import { BANNER } from './banner.ts';
import {
  field,
  filledId,
  flag,
  integer,
  type Known,
  objectOf,
  passedOn,
  price,
  required,
  tableOf,
  text,
} from './field.ts';
import { NATIVE } from './native.ts';
import { PMP } from './pmp.ts';
import { AUDIO, VIDEO } from './video-audio.ts';

const fields = {
  id: required(filledId),
  banner: objectOf(BANNER),
  video: objectOf(VIDEO),
  audio: objectOf(AUDIO),
  native: objectOf(NATIVE),
  pmp: objectOf(PMP),
  displaymanager: text,
  displaymanagerver: field(text, { comparison: 'version' }),
  instl: flag,
  tagid: text,
  /** CPM in `bidfloorcur`. */
  bidfloor: price,
  /** USD when absent. */
  bidfloorcur: text,
  clickbrowser: flag,
  secure: flag,
  rwdd: field(flag, { in25: 'ext' }),
  ssai: field(integer, { in25: 'absent' }),
  exp: integer,
  iframebuster: passedOn('text'),
  dt: passedOn('number', { in25: 'absent' }),
  metric: passedOn({ type: 'text', vendor: 'text', value: 'number' }),
  qty: passedOn({ vendor: 'text', multiplier: 'number', sourcetype: 'number' }, { in25: 'absent' }),
  refresh: passedOn('hidden', { in25: 'absent' }),
};

/** OpenRTB 2.6 §3.2.4; offers at least one of banner, video, audio and native. */
export interface Imp extends Known<typeof fields> {}

const NO_FORMAT = fault('must offer at least one of banner, video, audio and native');
export const IMP = tableOf<Imp>(fields, {
  also: (imp) => ((imp.banner ?? imp.video ?? imp.audio ?? imp.native) ? undefined : NO_FORMAT),
});
