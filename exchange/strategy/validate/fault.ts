/** One thing that is wrong with a document. */
export interface StrategyFault {
  /** The place, as in `rules[2].conditions[0].value`; empty for the document itself. */
  readonly path: string;
  /** A sentence without its subject: `must be a string`. */
  readonly message: string;
}

/** What validation depends on besides the document. */
export interface ValidationContext {
  /** In production creatives are served over https alone (specification, "Creative specifications"). */
  readonly httpsOnly: boolean;
}

/** Appends a step to a path: `a.b[0].c`. */
export function join(path: string, step: string | number): string {
  if (typeof step === 'number') return `${path}[${step}]`;
  return path === '' ? step : `${path}.${step}`;
}
