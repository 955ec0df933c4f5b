import { field, flag, integer, type Known, listOf, tableOf, text } from './field.ts';

const fields = {
  coppa: flag,
  gdpr: field(flag, { in25: 'ext' }),
  us_privacy: field(text, { in25: 'ext' }),
  gpp: field(text, { in25: 'ext', viewer: 'trait' }),
  gpp_sid: field(listOf(integer), { in25: 'ext' }),
};

/** OpenRTB 2.6 §3.2.3 */
export interface Regs extends Known<typeof fields> {}

export const REGS = tableOf<Regs>(fields);
