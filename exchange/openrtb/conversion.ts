import { BID_REQUEST, type BidRequest } from './bid-request.ts';
import type { ObjectTable } from './fields/field.ts';
import { type Mutable, shallowCopy } from './shallow-copy.ts';

type Open = Readonly<Record<string, unknown>>;

/** Converts one object, without the objects in it. Returns the object itself, or a copy where it differs. */
export type Step = (object: Open) => Open;

interface Part {
  readonly name: string;
  readonly isList: boolean;
  readonly convert: Step;
}

/**
 * Makes a conversion of whole requests from the step of each table (null for none). The conversion gets a copy of a
 * request and may change it. Objects in it are copied where they differ and shared where they do not. The tables are
 * walked once, here; a conversion visits only objects that have a step, or contain one that has.
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

/** The conversion of an object and of all objects in it; null where no step applies. */
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
