import { nativeRequestText } from '../native-request-shape.ts';
import { field, integer, type Known, listOf, required, tableOf, text, textOf } from './field.ts';

const fields = {
  request: required(textOf(nativeRequestText)),
  ver: field(text, { comparison: 'version' }),
  api: listOf(integer),
  battr: listOf(integer),
};

/** OpenRTB 2.6 §3.2.9; `request` is a Native 1.x request as JSON text, bare or wrapped in `{"native": …}`. */
export interface Native extends Known<typeof fields> {}

export const NATIVE = tableOf<Native>(fields);
