/** A text that is as long as wanted: what begins it, what is repeated in it, what ends it. */
export type WorstCase = readonly [begin: string, repeated: string, end: string];

export function written([begin, repeated, end]: WorstCase, length: number): string {
  return begin + repeated.repeat(Math.ceil(length / repeated.length)) + end;
}
