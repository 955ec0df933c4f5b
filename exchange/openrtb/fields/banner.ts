import { fault } from '../shape.ts';
import { count, flag, integer, type Known, listOf, objectOf, tableOf, text } from './field.ts';

const formatFields = {
  w: count,
  h: count,
  wratio: count,
  hratio: count,
  wmin: count,
};

/** A size (OpenRTB 2.6 §3.2.10): either `w` and `h`, or `wratio` and `hratio` (flex ads). */
export interface Format extends Known<typeof formatFields> {}

const SIZE_OR_RATIO = fault('must define w and h, or wratio and hratio');
const FORMAT = tableOf<Format>(formatFields, {
  also: ({ w, h, wratio, hratio }) => {
    const halves = (w ? 1 : 0) !== (h ? 1 : 0) || (wratio ? 1 : 0) !== (hratio ? 1 : 0);
    return halves || !(w || wratio) ? SIZE_OR_RATIO : undefined;
  },
});

const bannerFields = {
  format: listOf(objectOf(FORMAT)),
  w: count,
  h: count,
  wmax: count,
  hmax: count,
  wmin: count,
  hmin: count,
  btype: listOf(integer),
  battr: listOf(integer),
  pos: integer,
  mimes: listOf(text),
  topframe: flag,
  expdir: listOf(integer),
  api: listOf(integer),
  id: text,
  vcm: flag,
};

/** OpenRTB 2.6 §3.2.6. The standard recommends sizes but does not require them. */
export interface Banner extends Known<typeof bannerFields> {}

export const BANNER = tableOf<Banner>(bannerFields);
