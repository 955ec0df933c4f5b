import { expect } from 'chai';
import type { PrivacyTreatment } from '#exchange/consent/treatment';
import { withhold } from '#exchange/consent/withhold';
import { withoutPersonalData } from '#exchange/consent/without-personal-data';
import { redactForBidders } from '#exchange/openrtb/dialect';
import { downgrade } from '#exchange/openrtb/downgrade';
import {
  count,
  type Ext,
  type Field,
  field,
  type Known,
  listOf,
  objectOf,
  passedOn,
  required,
  tableOf,
  text,
  type ViewerData,
} from '#exchange/openrtb/fields/field';
import { InvalidBidRequest } from '#exchange/openrtb/invalid-bid-request';
import { parseBidRequest } from '#exchange/openrtb/parse-bid-request';
import { shallowCopy } from '#exchange/openrtb/shallow-copy';
import { upgrade } from '#exchange/openrtb/upgrade';
import { fieldKind } from '#exchange/strategy/openrtb-fields';
import { type DeclaredField, declaredFields, requestWith, sampleOf, valueAt } from './declared-fields.ts';

const DECLARED = declaredFields();

function faultOf(document: unknown): string | null {
  try {
    parseBidRequest(document);
    return null;
  } catch (error) {
    if (error instanceof InvalidBidRequest) return error.path;
    throw error;
  }
}

/** Half a size is the fault of the format. */
const SIDE_OF_FORMAT = /\.format\.[wh](?:ratio)?$/;

const parsed = (declared: DeclaredField, place: 'own' | 'ext' = 'own') =>
  parseBidRequest(requestWith(declared, sampleOf(declared.field), place));
const olderOf = (declared: DeclaredField, place?: 'own' | 'ext') => downgrade(shallowCopy(parsed(declared, place)), []);
const newerOf = (declared: DeclaredField, place?: 'own' | 'ext') => upgrade(shallowCopy(parsed(declared, place)));
const inExt = ({ path }: DeclaredField) => path.replace(/([^.]+)$/, 'ext.$1');
const isChecked = ({ check, table }: Field) => check !== null || table !== null;

/** What the treatments withhold whole, by what a field says of the viewer (decision 0022). */
const WITHHELD: Readonly<Partial<Record<ViewerData, readonly PrivacyTreatment[]>>> = {
  id: ['limited', 'child'],
  identity: ['limited', 'child'],
  profile: ['child'],
  coordinate: ['child'],
  'exact-place': ['coarse-geo', 'limited', 'child'],
  city: ['child'],
};
/** What no record has. */
const UNRECORDED: readonly (ViewerData | undefined)[] = [
  'id',
  'identity',
  'address',
  'profile',
  'coordinate',
  'exact-place',
  'trait',
];

function isWithheld({ field, table, above }: DeclaredField, treatment: PrivacyTreatment): boolean {
  if ([...above, field].some(({ viewer }) => viewer !== undefined && WITHHELD[viewer]?.includes(treatment)))
    return true;
  // Of a place, a child's says the country alone.
  const isPlace = Object.values(table.fields).some(({ viewer }) => viewer === 'country');
  return isPlace && treatment === 'child' && field.viewer !== 'country';
}

describe('each field that a table of the bid request declares', () => {
  it('is there with what it is: at least 300 places, of each kind some', () => {
    expect(DECLARED.length).to.be.above(300);
    for (const kind of ['ext', 'absent', undefined]) expect(DECLARED.map(({ field }) => field.in25)).to.include(kind);
    const viewers = new Set(DECLARED.map(({ field }) => field.viewer));
    for (const viewer of [...Object.keys(WITHHELD), ...UNRECORDED, 'country', 'url'])
      expect([...viewers]).to.include(viewer);
  });

  it('is checked where it stands, or passed on whatever it is', () => {
    for (const declared of DECLARED) {
      const { path, faultPath, field } = declared;
      expect(valueAt(parsed(declared), path), path).to.deep.equal(sampleOf(field));
      const wrong = field.list === null ? [] : {};
      expect(faultOf(requestWith(declared, wrong)), path).to.equal(isChecked(field) ? faultPath : null);
    }
  });

  it('counts as absent where it is null, and is passed on as null where nothing is checked', () => {
    for (const declared of DECLARED) {
      const { path, faultPath, field } = declared;
      const document = requestWith(declared, null);
      const fault = field.required ? faultPath : SIDE_OF_FORMAT.test(path) ? faultPath.replace(/\.\w+$/, '') : null;
      expect(faultOf(document), path).to.equal(fault);
      if (!field.required) expect(valueAt(document, path), path).to.equal(isChecked(field) ? undefined : null);
    }
  });

  it('is checked in the ext of its object, too, where 2.5 has it there and it is checked in its own place', () => {
    for (const declared of DECLARED.filter(({ field }) => field.in25 === 'ext' && isChecked(field))) {
      const wrong = declared.field.list === null ? [] : {};
      const at = declared.faultPath.replace(/([^.]+)$/, 'ext.$1');
      expect(faultOf(requestWith(declared, wrong, 'ext')), declared.path).to.equal(at);
    }
  });

  it('goes to bidders of 2.5 where that has it, and to those of 2.6 in its own place', () => {
    for (const declared of DECLARED) {
      const { path, field, above } = declared;
      const sample = sampleOf(field);
      const isAbsent = [...above, field].some(({ in25 }) => in25 === 'absent');
      // A place in `ext` is one of the object's own: what lies below the field goes along with it.
      const moved = above.findIndex(({ in25 }) => in25 === 'ext');
      const older = olderOf(declared);
      if (isAbsent || field.in25 === 'ext' || moved >= 0) expect(valueAt(older, path), path).to.equal(undefined);
      else expect(valueAt(older, path), path).to.deep.equal(sample);
      if (field.in25 === 'ext') {
        expect(valueAt(older, inExt(declared)), path).to.deep.equal(sample);
        expect(olderOf(declared, 'ext'), path).to.deep.equal(older);
        expect(valueAt(newerOf(declared, 'ext'), path), path).to.deep.equal(sample);
        expect(valueAt(newerOf(declared, 'ext'), inExt(declared)), path).to.equal(undefined);
      }
      expect(newerOf(declared), path).to.deep.equal(parsed(declared));
    }
  });

  for (const treatment of ['open', 'coarse-geo', 'limited', 'child'] as const) {
    it(`is withheld as what it says of the viewer asks for: ${treatment}`, () => {
      for (const declared of DECLARED) {
        const { path, field } = declared;
        const request = parsed(declared);
        const before = structuredClone(request);
        const told = valueAt(withhold(shallowCopy(request), treatment), path);
        const allowsIds = treatment === 'open' || treatment === 'coarse-geo';
        if (isWithheld(declared, treatment)) expect(told, path).to.equal(undefined);
        else if (field.viewer === 'address' && !allowsIds) expect(told, path).to.equal('203.0.113.0');
        else if (field.viewer === 'coordinate' && treatment !== 'open') expect(told, path).to.equal(52.52);
        else expect(told, path).to.deep.equal(sampleOf(field));
        expect(request, path).to.deep.equal(before);
      }
    });
  }

  it('is erased from wherever else its value stands where it is an id or an address', () => {
    const ids = DECLARED.filter(({ field }) => field.viewer === 'id' || field.viewer === 'address');
    for (const declared of ids) {
      const value = String(sampleOf(declared.field));
      const request = parseBidRequest({ ...requestWith(declared, value), ext: { repeated: value } });
      expect(redactForBidders(request, 'open').ext, declared.path).to.deep.equal({ repeated: value });
      expect(redactForBidders(request, 'limited').ext, declared.path).to.deep.equal({ repeated: '' });
    }
  });

  it('is recorded unless it is a person’s, and cut where it is a URL', () => {
    for (const declared of DECLARED) {
      const { path, field, above } = declared;
      const recorded = valueAt(withoutPersonalData(parsed(declared), 'open'), path);
      const isPersonal = [...above, field].some(({ viewer }) => UNRECORDED.includes(viewer));
      const isUnknown = fieldKind(path) === null;
      if (isPersonal || isUnknown) expect(recorded, path).to.equal(undefined);
      else if (field.viewer === 'url') expect(recorded, path).to.equal('https://site.example/page');
      else if (field.table === null && typeof field.comparison === 'string')
        expect(recorded, path).to.deep.equal(sampleOf(field));
      const ofChild = valueAt(withoutPersonalData(parsed(declared), 'child'), path);
      expect(ofChild, path).to.deep.equal(field.viewer === 'city' ? undefined : recorded);
    }
  });

  it('can be addressed by conditions as what its type is, unless it is hidden', () => {
    for (const { path, field } of DECLARED) {
      const { comparison, table } = field;
      if (table !== null) expect(fieldKind(path), path).to.equal('object');
      else if (comparison === 'hidden') expect(fieldKind(path), path).to.equal(null);
      else expect(fieldKind(path), path).to.equal(typeof comparison === 'string' ? comparison : 'object');
    }
  });
});

describe('the type of an object of a bid request', () => {
  const innerFields = { size: count };
  interface Inner extends Known<typeof innerFields> {}
  const fields = {
    id: required(text),
    novel: field(count, { in25: 'ext', viewer: 'id' }),
    parts: listOf(objectOf(tableOf<Inner>(innerFields))),
    words: passedOn('text'),
  };
  interface Outer extends Known<typeof fields> {}

  type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
  type Flat<T> = { [K in keyof T]: T[K] };

  it('has what its table declares, and nothing that is passed on', () => {
    const isSame: Same<
      Flat<Outer>,
      { readonly id: string; readonly novel?: number; readonly parts?: readonly Inner[]; readonly ext?: Ext }
    > = true;
    expect(isSame).to.equal(true);
  });
});
