import { BID_REQUEST } from '#exchange/openrtb/bid-request';
import type { Bid } from '#exchange/openrtb/bid-response';
import { BID_FIELDS, REQUIRED_BID_FIELDS } from '#exchange/openrtb/bid-response-shape';
import type { Field, ObjectTable, ViewerData } from '#exchange/openrtb/fields/field';
import * as shape from '#exchange/openrtb/shape';
import { table } from '../table.ts';

const CHECKS: readonly (readonly [shape.Check, string])[] = [
  [shape.text, 'text'],
  [shape.nonEmptyId, 'id'],
  [shape.integer, 'integer'],
  [shape.count, 'integer, 0 or more'],
  [shape.finite, 'number'],
  [shape.numeric, 'number'],
  [shape.flag, '0 or 1'],
];

/** What becomes of each kind of viewer data on the way to bidders. */
const PRIVACY: Readonly<Record<ViewerData, string>> = {
  id: 'left out without consent, and for a child',
  identity: 'left out without consent, and for a child',
  address: 'shortened without consent, and for a child',
  profile: 'left out for a child',
  coordinate: 'two decimals without consent to the exact place; left out for a child',
  'exact-place': 'left out without consent to the exact place, and for a child',
  country: 'sent; of this object nothing else for a child',
  city: 'left out for a child',
  trait: 'sent; never recorded',
  url: 'sent; recorded without query and fragment',
};

/** What the exchange writes into requests to bidders, by the path of the field. */
export const WRITTEN: Readonly<Record<string, string>> = {
  imp: 'up to 50, each an auction',
  'imp.bidfloor': 'raised to the floors of the publisher and its pool',
  'imp.banner.battr': 'with the attributes that the exchange never sells',
  'imp.video.battr': 'with the attributes that the exchange never sells',
  'imp.audio.battr': 'with the attributes that the exchange never sells',
  'imp.native.battr': 'with the attributes that the exchange never sells',
  at: '1, first price',
  test: 'passed on; 1: nothing of the auction is billed',
  tmax: 'the time that is left to the bidder',
  cur: 'the currencies in which the publisher is answered and bids can be converted, USD first',
  badv: 'with the domains that the publisher blocks',
  bcat: 'with the categories that the publisher blocks, and those that the exchange never sells',
  'site.content.genre': 'the publisher’s, where the request has none',
  'site.publisher.id': 'the seller of sellers.json',
  'user.id': 'the exchange’s own, where the request has none and consent allows it',
  'user.buyeruid': 'the bidder’s own, after a match by `/sync`',
  'source.schain': 'with the exchange as the last node',
};

/** How a field of a winning bid reaches the publisher; all others as the bidder wrote them. */
const ANSWERED: Readonly<Partial<Record<keyof Bid, string>>> = {
  price: 'the clearing price',
  adm: 'with the exchange’s pixel in it, macros filled in',
  nurl: 'the exchange’s, which calls the bidder’s; left out where a page’s player would load it',
  burl: 'the exchange’s, which bills and calls the bidder’s',
  lurl: 'left out: the exchange calls it',
  exp: 'at most the render window',
  mtype: 'what it was sold as',
};

interface Place {
  readonly path: string;
  /** Whether an object above is left out for bidders of 2.5. */
  readonly absent: boolean;
}

/** The tables that a bid request leads to, in the order in which they are met, each with all of its places. */
function places(): Map<ObjectTable, Place[]> {
  const found = new Map<ObjectTable, Place[]>();
  const waiting: { readonly table: ObjectTable; readonly place: Place }[] = [
    { table: BID_REQUEST, place: { path: '', absent: false } },
  ];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { table: current, place } = next;
    found.set(current, [...(found.get(current) ?? []), place]);
    const below = Object.entries(current.fields).flatMap(([name, { table: own, in25 }]) =>
      own === null || Object.keys(own.fields).length === 0
        ? []
        : [{ table: own, place: { path: `${place.path}${name}.`, absent: place.absent || in25 === 'absent' } }],
    );
    waiting.push(...below);
  }
  return found;
}

function kindOf({ check, table: own, list, required }: Field): string {
  const one = own !== null ? 'object' : (CHECKS.find(([known]) => known === check)?.[1] ?? 'text');
  const kind =
    list === null
      ? one
      : `list: ${one}${list.most === undefined ? '' : `, up to ${list.most.toLocaleString('en-US')}`}`;
  return `${kind}${required ? ', required' : ''}`;
}

function rowOf(name: string, field: Field, all: readonly Place[]): string[] {
  const read = field.check !== null || field.table !== null;
  const earlier = all.every(({ absent }) => absent) || field.in25 === 'absent';
  const written = all.map(({ path }) => WRITTEN[path + name]).find((words) => words !== undefined);
  return [
    `\`${name}\``,
    read ? kindOf(field) : 'not checked',
    written ?? 'passed on',
    earlier ? 'left out' : field.in25 === 'ext' ? `\`ext.${name}\`` : 'same',
    field.viewer === undefined ? '' : PRIVACY[field.viewer],
  ];
}

function extRow({ ext }: ObjectTable): string[][] {
  if (ext.viewer !== undefined) return [['`ext`', 'not checked', 'passed on', 'same', PRIVACY[ext.viewer]]];
  if (ext.toldWithoutIds === undefined) return [];
  const kept = Object.keys(ext.toldWithoutIds).map((name) => `\`${name}\``);
  return [['`ext`', 'not checked', 'passed on', 'same', `without consent, and for a child: only ${kept.join(', ')}`]];
}

/** docs/reference/openrtb.md. */
export function openrtbPage(): string {
  const objects = [...places()].map(([own, all]) => {
    const names = all.map(({ path }) => (path === '' ? 'The request' : `\`${path.slice(0, -1)}\``));
    const rows = Object.entries(own.fields).map(([name, field]) => rowOf(name, field, all));
    const head = ['field', 'read as', 'to bidders', 'in 2.5', 'privacy'];
    return `### ${names.join(', ')}\n\n${table(head, [...rows, ...extRow(own)])}`;
  });
  const bid = Object.keys(BID_FIELDS).map((name) => [
    `\`${name}\`${REQUIRED_BID_FIELDS.includes(name) ? ' *' : ''}`,
    CHECKS.find(([known]) => known === BID_FIELDS[name])?.[1] ?? 'text or list of a bounded length',
    ANSWERED[name as keyof Bid] ?? 'as the bidder wrote it',
  ]);
  return `# OpenRTB, field by field

<!-- Made by \`npm run reference\` of exchange/openrtb/fields/ and of test/documentation/reference/openrtb-page.ts: change those, not this page. -->

Requests are taken in OpenRTB 2.5 and 2.6, or both at once: a field that 2.5 has in \`ext\` is read there too. Bidders get the version that their demand
source sets. The tables below are made of the declarations by which requests are checked, converted and stripped.

- **read as**: the exchange reads the field and refuses a request (400, with the field's name) in which it has another type. _Not checked_: free text and
  enumerations that grow are for bidders alone.
- **to bidders**: _passed on_ as it came, or what the exchange writes. Fields that no table names, and \`ext\`, are passed on as well;
  \`publisher.ext.verified\` and, where the viewer’s browser asks for it, \`regs.ext.gpc\` are added.
- **in 2.5**: where bidders of 2.5 find it: in the same place, in \`ext\` of the same object, or not at all. Pods are expressed by durations
  ([ad pods](../subsystems/ad-pods.md)), \`plcmt\` by \`placement\`, and categories of a taxonomy that 2.5 does not have are left out.
- **privacy**: what of it bidders get when the viewer has not consented, or is a child ([privacy.md](../privacy.md)). No record of an auction
  contains what identifies a viewer, whatever they consented to.

## The bid request

${objects.join('\n\n')}

## The bid response

Of a bidder's answer the exchange reads \`id\`, \`cur\`, \`bidid\`, \`nbr\` and \`seatbid\`, of a seat \`seat\`, \`group\` and \`bid\`. Fields with a * are
required; [the bid contract](../dsp.md#the-answer) says what each is used for. A publisher is answered the winning bids by seat, with \`cur\` \`USD\`, or 204.

${table(['of a bid', 'read as', 'in the answer to the publisher'], bid)}
`;
}
