import { expect } from 'chai';
import fc from 'fast-check';
import { BSON } from 'mongodb';
import { escapeKey, fromRest, toRest } from '#runtime/providers/mongodb/json-at-rest';
import { statePath } from '#runtime/providers/mongodb/query-filter';

function overTheWire(value: unknown): unknown {
  return fromRest(BSON.deserialize(BSON.serialize({ value: toRest(value) })).value);
}

/** Every field name in `value`, at any depth. */
function* keysOf(value: unknown): Iterable<string> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield* Object.keys(value);
  for (const field of Object.values(value)) yield* keysOf(field);
}

function hasNestedArray(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const fields: unknown[] = Object.values(value);
  return fields.some((field) => (Array.isArray(value) && Array.isArray(field)) || hasNestedArray(field));
}

const TRICKY_KEY = fc.oneof(
  fc.constantFrom(
    '',
    '.',
    '$',
    '%',
    '_bsontype',
    '%5Fbsontype',
    '%json',
    '__proto__',
    'a.b',
    '$set',
    '\0',
    '%2E',
    '_id',
  ),
  fc.string({ unit: fc.constantFrom('.', '$', '%', '2', 'E', 'a', '\0') }),
  fc.string(),
);
const ANY_JSON = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    fc.constantFrom(null, true, false),
    fc.integer(),
    fc.maxSafeInteger(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.string({ unit: 'grapheme' }),
    fc.array(tie('json')),
    fc.dictionary(TRICKY_KEY, tie('json'), { noNullPrototype: true }),
  ),
})).json;

describe('JSON at rest in MongoDB', () => {
  it('comes back as JSON itself would have it, whatever it is', () => {
    fc.assert(
      fc.property(ANY_JSON, (value) => {
        expect(overTheWire(value)).to.deep.equal(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('has no field name that a server gives a meaning of its own, and no array directly in an array', () => {
    fc.assert(
      fc.property(ANY_JSON, (value) => {
        const stored = toRest(value);
        for (const key of keysOf(stored)) expect(key).not.to.match(/^\$|\.|\0|^_bsontype$/);
        expect(hasNestedArray(stored)).to.equal(false);
      }),
      { examples: [[[[1]]], [{ $a: { 'b.c': [[]] } }]] },
    );
  });

  it('gives different keys different names', () => {
    fc.assert(
      fc.property(TRICKY_KEY, TRICKY_KEY, (one, other) => {
        expect(escapeKey(one) === escapeKey(other)).to.equal(one === other);
      }),
    );
  });

  it('leaves out what JSON leaves out', () => {
    const value = { absent: undefined, list: [undefined, Number.NaN, Number.POSITIVE_INFINITY, -0], at: new Date(0) };
    expect(overTheWire(value)).to.deep.equal({ list: [null, null, null, 0], at: '1970-01-01T00:00:00.000Z' });
  });

  it('keeps what lies deeper than a server allows', () => {
    let deep: unknown = 'bottom';
    for (let level = 0; level < 2000; level += 1) deep = { down: deep };
    const back = overTheWire(deep);
    expect(JSON.stringify(back)).to.equal(JSON.stringify(deep));
  });

  it('is found by the path under which it was kept', () => {
    expect(statePath('owner.id')).to.equal('state.owner.id');
    expect(statePath('a%b.$set._bsontype')).to.equal('state.a%25b.%24set.%5Fbsontype');
  });
});
