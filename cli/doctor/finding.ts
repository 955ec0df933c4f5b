export type Status = 'ok' | 'warn' | 'fail';

/** What a check has found, in one sentence each. */
export interface Finding {
  readonly status: Status;
  readonly found: string;
  /** What it leads to; null where all is well. */
  readonly means: string | null;
  /** What to do about it; null where all is well. */
  readonly todo: string | null;
}

export function ok(found: string): Finding {
  return { status: 'ok', found, means: null, todo: null };
}

export function warn(found: string, means: string, todo: string): Finding {
  return { status: 'warn', found, means, todo };
}

export function fail(found: string, means: string, todo: string): Finding {
  return { status: 'fail', found, means, todo };
}
