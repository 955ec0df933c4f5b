/** States that are plain JSON, and that some way of keeping them would change. */
function nested(depth: number): unknown {
  let value: unknown = 'bottom';
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? { down: value } : [value];
  return value;
}

export const AWKWARD: Readonly<Record<string, unknown>> = {
  unicode: 'Zürich — 東京 — \u{1f6d2} — \u0000 — \u2028 — e\u0301',
  keysWithDots: { 'a.b': { 'c.d': 1 }, '.': 2, '..': 3, 'site.page': { in: [1] } },
  keysWithDollars: { $set: { a: 1 }, $: 1, a$b: 2, $ref: 'r', $id: 'i', $db: 'd', 'x.$': 3 },
  keysWithEscapes: { '%2E': 1, '%': 2, '%25': 3, 'a%b': 4, '\u0000': 5, '': 6, ' ': 7, '%json': '[1]' },
  keysOfOtherTrades: {
    _id: 'not yours',
    _bsontype: 'ObjectId',
    toBSON: 1,
    toJSON: 2,
    constructor: 3,
    length: 4,
    hasOwnProperty: 5,
  },
  prototypes: JSON.parse('{"__proto__":{"polluted":true},"prototype":1}'),
  addresses: { 'tally/5:2026-11-21': 1, 'ledger/publisher:a.b:2026-11-21': 2, '1795250000000-17': 3, '12': 4, '3': 5 },
  numbers: [0, 1, -1, 0.1, 1e-9, 2 ** 31, -(2 ** 31), 2 ** 32, 2 ** 53, 2 ** 53 - 1, -(2 ** 53), 1.5e300, 5e-324],
  empties: { object: {}, array: [], string: '', arrays: [[], {}, [[]]], nothing: null, falsehood: false },
  nulls: [null, null, { a: null }],
  matrix: [
    [1, 2],
    [3, [4, { 'five.six': [[7]] }]],
  ],
  dates: ['2026-11-21T00:00:00.000Z', { $date: '2026-11-21' }],
  scalar: 'just a string',
  deep: nested(300),
};
