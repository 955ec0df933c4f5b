/** Ids of devices are longer, hashed or not. What is shorter says that there is none: `-1`, `-2` and `null`. */
const SHORTEST_ID = 8;
/** Zeros, in any grouping, of a user who limits tracking; `undefined`; and macros that were not filled in. */
const NO_ID = /^(?:[0-]*$|undefined$|[[{$%])/i;

/** Whether a stated device id can be that of one device; else many devices would share what is counted by it. */
export function namesOneDevice(id: string): boolean {
  return id.length >= SHORTEST_ID && !NO_ID.test(id);
}
