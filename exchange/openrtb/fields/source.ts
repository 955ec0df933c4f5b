import { field, flag, type Known, listOf, objectOf, passedOn, required, tableOf, text } from './field.ts';

const nodeFields = {
  asi: text,
  sid: text,
  rid: text,
  hp: flag,
  name: passedOn('text'),
  domain: passedOn('text'),
};

/** OpenRTB 2.6 §3.2.26 */
export interface SupplyChainNode extends Known<typeof nodeFields> {}

const chainFields = {
  complete: flag,
  ver: field(text, { comparison: 'version' }),
  nodes: required(listOf(objectOf(tableOf<SupplyChainNode>(nodeFields)))),
};

/** OpenRTB 2.6 §3.2.25 */
export interface SupplyChain extends Known<typeof chainFields> {}

const sourceFields = {
  fd: flag,
  tid: text,
  pchain: text,
  schain: field(objectOf(tableOf<SupplyChain>(chainFields)), { in25: 'ext' }),
};

/** OpenRTB 2.6 §3.2.2 */
export interface Source extends Known<typeof sourceFields> {}

export const SOURCE = tableOf<Source>(sourceFields);
