import { DURATION_FLOOR } from './duration-floor.ts';
import {
  field,
  filledId,
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

const dealFields = {
  id: required(filledId),
  bidfloor: price,
  bidfloorcur: text,
  /** With 3, `bidfloor` is the agreed price. */
  at: integer,
  wseat: listOf(text),
  wadomain: listOf(text),
  durfloors: field(listOf(objectOf(DURATION_FLOOR)), { in25: 'absent' }),
  guar: passedOn('number', { in25: 'absent' }),
  /** A floor per second, in CPM. */
  mincpmpersec: field(price, { in25: 'absent' }),
};

/** OpenRTB 2.6 §3.2.12 */
export interface Deal extends Known<typeof dealFields> {}

const DEAL = tableOf<Deal>(dealFields);

const pmpFields = {
  /** With 1, only bids on these deals are accepted. */
  private_auction: flag,
  deals: listOf(objectOf(DEAL)),
};

/** OpenRTB 2.6 §3.2.11 */
export interface Pmp extends Known<typeof pmpFields> {}

export const PMP = tableOf<Pmp>(pmpFields);
