import fc from 'fast-check';

/** A request that has a bit of everything. */
export const WHOLE_REQUEST = {
  id: 'r',
  imp: [
    {
      id: '1',
      banner: {
        w: 300,
        h: 250,
        format: [
          { w: 300, h: 250 },
          { wratio: 16, hratio: 9 },
        ],
        battr: [1],
        wmax: 400,
        hmax: 300,
      },
      video: {
        mimes: ['video/mp4'],
        plcmt: 1,
        durfloors: [{ maxdur: 15, bidfloor: 1 }],
        companionad: [{ w: 1, h: 1 }],
      },
      audio: { mimes: ['audio/mp4'], durfloors: [{ mindur: 15, bidfloor: 1 }] },
      native: { request: '{"native":{"assets":[{"id":1,"title":{"len":25}}]}}' },
      pmp: {
        private_auction: 0,
        deals: [{ id: 'd', at: 3, bidfloor: 2, wseat: ['s'], wadomain: ['a.example'], durfloors: [] }],
      },
      bidfloor: 0.5,
      bidfloorcur: 'USD',
      secure: 1,
      instl: 1,
      ext: { rwdd: 1, prebid: { is_rewarded_inventory: 1 } },
    },
    { id: '2', banner: {} },
  ],
  site: { id: 's', publisher: { id: 'p', cattax: 2 }, content: { genre: 'drama', cattax: 6, cat: ['1'] } },
  device: { w: 390, h: 844, sua: {}, geo: { lat: 1.5, country: 'DEU' } },
  user: { id: 'u', consent: 'C', ext: { eids: [{ source: 's', uids: [{ id: 'A' }] }] } },
  regs: { gdpr: 1, ext: { gpp: 'x', gpp_sid: [1] } },
  source: { ext: { schain: { complete: 1, ver: '1.0', nodes: [{ asi: 'a', sid: 'b', hp: 1 }] } } },
  bcat: ['IAB1'],
  badv: ['b.example'],
  bapp: ['com.example'],
  acat: ['IAB2'],
  cattax: 1,
  wseat: ['s'],
  tmax: 100,
};

export type Node = Record<string, unknown>;

/** Every place in a document, as the holder and the field. */
function placesIn(value: unknown): [holder: Node, field: string][] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Node;
  return Object.keys(holder).flatMap((field) => [[holder, field] as [Node, string], ...placesIn(holder[field])]);
}

const wrong = fc.oneof(
  fc.constantFrom<unknown>(
    undefined,
    null,
    true,
    '',
    '0',
    0,
    1,
    -1,
    1.5,
    1e300,
    -0,
    Number.NaN,
    Number.POSITIVE_INFINITY,
  ),
  fc.constantFrom<unknown>('{', '{"assets":[]}', '\u0000', [[]], [null], {}, { id: null }, [{}, {}]),
  // Names that every object has are found in tables that are objects.
  fc.constantFrom<unknown>('__proto__', 'constructor', 'toString', ['__proto__'], ['constructor'], ['valueOf']),
  fc.jsonValue({ maxDepth: 3 }),
);
export const mutation = fc.record({
  place: fc.nat(),
  kind: fc.constantFrom('replace', 'delete', 'repeat', 'move'),
  value: wrong,
  other: fc.nat(),
});

export function mutate(
  document: Node,
  { place, kind, value, other }: { place: number; kind: string; value: unknown; other: number },
): void {
  const places = placesIn(document);
  const [holder, field] = places[place % places.length]!;
  const [otherHolder, otherField] = places[other % places.length]!;
  if (kind === 'delete') delete holder[field];
  else if (kind === 'repeat' && Array.isArray(holder)) holder.push(structuredClone(holder[Number(field)]));
  else if (kind === 'move') holder[field] = structuredClone(otherHolder[otherField]);
  else holder[field] = structuredClone(value);
}
