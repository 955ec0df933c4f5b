import { field, integer, type Known, listOf, objectOf, passedOn, tableOf, text } from './field.ts';
import { GEO } from './geo.ts';

const uidFields = { id: text, atype: integer };

/** OpenRTB 2.6 §3.2.28 */
interface Uid extends Known<typeof uidFields> {}

const eidFields = {
  source: text,
  uids: listOf(objectOf(tableOf<Uid>(uidFields))),
};

/** OpenRTB 2.6 §3.2.27 */
export interface Eid extends Known<typeof eidFields> {}

const userFields = {
  id: field(text, { viewer: 'id' }),
  buyeruid: field(text, { viewer: 'id' }),
  customdata: passedOn('text', { viewer: 'id' }),
  /** IAB TCF consent string. */
  consent: field(text, { in25: 'ext' }),
  eids: field(listOf(objectOf(tableOf<Eid>(eidFields))), { in25: 'ext', viewer: 'identity' }),
  data: passedOn(
    { id: 'text', name: 'text', segment: { id: 'text', name: 'text', value: 'text' } },
    { viewer: 'identity' },
  ),
  geo: objectOf(GEO),
  yob: passedOn('number', { viewer: 'profile' }),
  gender: passedOn('text', { viewer: 'profile' }),
  keywords: passedOn('text', { viewer: 'profile' }),
  kwarray: passedOn('text', { in25: 'absent', viewer: 'profile' }),
};

/** OpenRTB 2.6 §3.2.20 */
export interface User extends Known<typeof userFields> {}

const anything = () => undefined;
/** An `ext` is the sender's own and may identify the viewer; Google's lists of vendors are known not to. */
export const USER = tableOf<User>(userFields, {
  ext: { toldWithoutIds: { consented_providers_settings: anything, ConsentedProvidersSettings: anything } },
});
