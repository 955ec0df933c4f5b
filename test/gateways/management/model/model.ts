/**
 * What an account's resources should be after a sequence of calls: the API's rules once more, as plainly as possible.
 */
export interface Model {
  readonly partners: { readonly id: string; name: string; revision: number }[];
  readonly pools: { readonly id: string; name: string; floorCpm: number; revision: number }[];
  readonly sources: ModelSource[];
}

export type SourceKind = 'supply' | 'demand';

export interface ModelSource {
  readonly kind: SourceKind;
  readonly id: string;
  name: string;
  sandbox: boolean;
  archived: boolean;
  partnerId: string | null;
  /** At most one of a supply source; in the order of subscription of a demand source. */
  poolIds: string[];
  /** USD CPM of a supply source's floor; a demand source's daily budget in cents. */
  amount: number;
  feePercent: number;
  revision: number;
}

/** Who asks: the account, one partner of it, or its sandbox key. */
export interface Eyes {
  readonly partnerId: string | null;
  readonly sandbox: boolean;
}

/** What may be said of a source. Absent: nothing. */
export interface SourceFields {
  readonly name?: string;
  readonly sandbox?: boolean;
  readonly partnerId?: string | null;
  /** Of supply sources alone. */
  readonly poolId?: string | null;
  readonly amount?: number;
}

/** `200`, or status, code and field of the error. */
export type Outcome = string;

export const emptyModel = (): Model => ({ partners: [], pools: [], sources: [] });

export function sees(eyes: Eyes, source: ModelSource): boolean {
  if (eyes.partnerId !== null && source.partnerId !== eyes.partnerId) return false;
  return source.sandbox || !eyes.sandbox;
}

export const statusOf = ({ archived, sandbox }: ModelSource): string =>
  archived ? 'archived' : sandbox ? 'sandbox' : 'active';

/** Whether a source of this kind and environment, other than `but`, bears the name. */
function isTaken(model: Model, kind: SourceKind, sandbox: boolean, name: string, but?: ModelSource): boolean {
  return model.sources.some(
    (source) =>
      source !== but &&
      source.kind === kind &&
      source.sandbox === sandbox &&
      source.name === name &&
      // An archived source has given its name back.
      !source.archived,
  );
}

export function create(model: Model, eyes: Eyes, kind: SourceKind, fields: SourceFields & { name: string }): Outcome {
  if (eyes.sandbox && fields.sandbox === false) return '403 FORBIDDEN';
  if (handsAway(eyes, fields)) return '403 FORBIDDEN';
  const sandbox = eyes.sandbox || (fields.sandbox ?? false);
  return isTaken(model, kind, sandbox, fields.name) ? '409 CONFLICT' : '201';
}

/** `expected` says whether `If-Match` names the source's revision; null when it is not sent. */
export function update(
  model: Model,
  eyes: Eyes,
  source: ModelSource,
  fields: SourceFields,
  expected: boolean | null,
): Outcome {
  if (eyes.sandbox && fields.sandbox === false) return '403 FORBIDDEN';
  if (handsAway(eyes, fields)) return '403 FORBIDDEN';
  if (!sees(eyes, source)) return '404 NOT_FOUND';
  const { name = source.name, sandbox = source.sandbox } = fields;
  const claims = !source.archived && (name !== source.name || sandbox !== source.sandbox);
  if (claims && isTaken(model, source.kind, sandbox, name, source)) return '409 CONFLICT';
  if (expected === false) return '412 PRECONDITION_FAILED';
  return source.archived ? '409 CONFLICT' : '200';
}

/** Of what an archived source refuses: to be assigned, to subscribe and to unsubscribe. */
export function join(eyes: Eyes, source: ModelSource, expected: boolean | null = null): Outcome {
  if (!sees(eyes, source)) return '404 NOT_FOUND';
  if (expected === false) return '412 PRECONDITION_FAILED';
  return source.archived ? '409 CONFLICT' : '200';
}

export function archive(eyes: Eyes, source: ModelSource, expected: boolean | null): Outcome {
  if (!sees(eyes, source)) return '404 NOT_FOUND';
  return expected === false ? '412 PRECONDITION_FAILED' : '200';
}

/** By an operator, of another account than the source's; else by the account's key. */
export function setFee(byOperator: boolean, expected: boolean | null): Outcome {
  if (!byOperator) return '403 FORBIDDEN';
  return expected === false ? '412 PRECONDITION_FAILED' : '200';
}

export function setBudget(eyes: Eyes, source: ModelSource, expected: boolean | null): Outcome {
  return source.kind === 'supply' ? '404 NOT_FOUND' : join(eyes, source, expected);
}

/** A partner's caller may give a source to no other partner. */
function handsAway(eyes: Eyes, { partnerId }: SourceFields): boolean {
  return eyes.partnerId !== null && partnerId !== undefined && partnerId !== eyes.partnerId;
}
