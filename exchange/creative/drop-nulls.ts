import { isObject, type JsonObject } from '../openrtb/shape.ts';

/** Levels of objects below a native document: its assets, links and trackers, and their parts. */
const NATIVE_LEVELS = 2;

/**
 * Sets the null fields of a native request or response (OpenRTB Native 1.2) to undefined: null counts as absent, as in
 * a bid request (openrtb/shape.ts). What is in an `ext` stays as it is.
 */
export function dropNulls(document: JsonObject, levels = NATIVE_LEVELS): void {
  for (const key in document) {
    const field = document[key];
    if (field === null) document[key] = undefined;
    else if (levels === 0 || key === 'ext') continue;
    else if (isObject(field)) dropNulls(field, levels - 1);
    else if (Array.isArray(field)) {
      for (const element of field) if (isObject(element)) dropNulls(element, levels - 1);
    }
  }
}
