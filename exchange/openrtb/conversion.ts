import { BID_REQUEST, type BidRequest } from './bid-request.ts';
import type { ObjectTable } from './fields/field.ts';
import { type Mutable, shallowCopy } from './shallow-copy.ts';

type Open = Readonly<Record<string, unknown>>;

/** What becomes of one object, by itself: the object, or a copy of its own where it differs. */
export type Step = (object: Open) => Open;

interface Part {
  readonly name: string;
  readonly isList: boolean;
  readonly convert: Step;
}

/**
 * What becomes of a copy of a request, which may be changed, when each object in it takes the step that its table asks for
 * (null for none). What lies below is copied where it differs and shared where it does not. The tables are gone through here,
 * once; a request meets only the objects that a step lies in or below.
 */
export function conversionOf(stepOf: (table: ObjectTable) => Step | null) {
  const step = stepOf(BID_REQUEST);
  const parts = partsOf(BID_REQUEST, stepOf);
  return (request: Mutable<BidRequest>): Mutable<BidRequest> => {
    const converted = (step === null ? request : step(request as Open)) as Record<string, unknown>;
    for (const part of parts) {
      const value = converted[part.name];
      if (value !== undefined) converted[part.name] = convertPart(part, value);
    }
    return converted as Mutable<BidRequest>;
  };
}

function partsOf(table: ObjectTable, stepOf: (table: ObjectTable) => Step | null): Part[] {
  return Object.entries(table.fields).flatMap(([name, { table: below, list }]) => {
    const convert = below === null ? null : stepThrough(below, stepOf);
    return convert === null ? [] : [{ name, isList: list !== null, convert }];
  });
}

/** The step of an object and of all that lies below; null where there is none. */
function stepThrough(table: ObjectTable, stepOf: (table: ObjectTable) => Step | null): Step | null {
  const step = stepOf(table);
  const parts = partsOf(table, stepOf);
  if (parts.length === 0) return step;
  return (object) => {
    const converted = step === null ? object : step(object);
    let copy: Record<string, unknown> | undefined = converted === object ? undefined : converted;
    for (const part of parts) {
      const value = converted[part.name];
      if (value === undefined) continue;
      const next = convertPart(part, value);
      if (next === value) continue;
      copy ??= shallowCopy(converted);
      copy[part.name] = next;
    }
    return copy ?? converted;
  };
}

function convertPart({ isList, convert }: Part, value: unknown): unknown {
  return isList ? (value as Open[]).map(convert) : convert(value as Open);
}
