import { expect } from 'chai';
import fc from 'fast-check';
import { expectations, eyesOf, type Pick, picked, picks, type Who, whoever } from './choices.ts';
import {
  archive,
  create,
  join,
  type Model,
  type ModelSource,
  type SourceFields,
  type SourceKind,
  statusOf,
  update,
} from './model.ts';
import { askFor, clientOf, ifMatch, type Real } from './real.ts';

type Command = fc.AsyncCommand<Model, Real>;

/** `SourceFields` before partners and pools are known: null is none, undefined leaves it out. */
interface WishedFields {
  readonly name?: string | undefined;
  readonly sandbox?: boolean | undefined;
  readonly partner?: Pick | null | undefined;
  readonly pool?: Pick | null | undefined;
  readonly amount?: number | undefined;
}

const pathOf = (kind: SourceKind) => `/api/${kind}/sources`;

export function sourceCommands(): fc.Arbitrary<Command>[] {
  const kind = fc.constantFrom<SourceKind>('supply', 'demand');
  const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
  const name = fc.constantFrom('Ann', 'Bob', 'Cem');
  const wished = {
    sandbox: maybe(fc.boolean()),
    partner: maybe(fc.option(picks)),
    pool: maybe(fc.option(picks)),
    amount: maybe(fc.nat({ max: 900 })),
  };
  return [
    fc.tuple(whoever, kind, fc.record({ ...wished, name })).map((parts) => new CreateSource(...parts)),
    fc
      .tuple(whoever, picks, fc.record({ ...wished, name: maybe(name) }), expectations)
      .map((parts) => new UpdateSource(...parts)),
    fc.tuple(whoever, picks, expectations).map((parts) => new ArchiveSource(...parts)),
    fc.tuple(whoever, picks, picks, expectations).map((parts) => new JoinPool(...parts)),
    fc.tuple(whoever, picks, picks).map((parts) => new LeavePool(...parts)),
  ];
}

class CreateSource implements Command {
  readonly who: Who;
  readonly kind: SourceKind;
  readonly wished: WishedFields & { name: string };
  constructor(who: Who, kind: SourceKind, wished: WishedFields & { name: string }) {
    [this.who, this.kind, this.wished] = [who, kind, wished];
  }
  check = () => true;
  async run(model: Model, real: Real): Promise<void> {
    const eyes = eyesOf(model, this.who);
    const fields = { ...fieldsOf(model, this.kind, this.wished), name: this.wished.name };
    const outcome = create(model, eyes, this.kind, fields);
    const body = {
      ...bodyOf(this.kind, fields),
      ...(this.kind === 'supply' ? { domain: 'd.example', type: 'web' } : { mode: 'delegate' }),
    };
    const answer = await askFor(`${this}`, outcome, () => clientOf(real, eyes).post(pathOf(this.kind), body));
    if (outcome !== '201') return;
    const source: ModelSource = {
      kind: this.kind,
      id: answer.body.id,
      name: fields.name,
      sandbox: eyes.sandbox || (fields.sandbox ?? false),
      archived: false,
      partnerId: fields.partnerId === undefined ? eyes.partnerId : fields.partnerId,
      poolIds: fields.poolId ? [fields.poolId] : [],
      amount: fields.amount ?? 0,
      feePercent: 0,
      revision: 1,
    };
    model.sources.push(source);
    expectShown(answer, source);
  }
  toString = () => `create ${this.kind} ${this.wished.name} as ${this.who.as} ${JSON.stringify(this.wished)}`;
}

class UpdateSource implements Command {
  readonly who: Who;
  readonly source: Pick;
  readonly wished: WishedFields;
  readonly expected: boolean | null;
  constructor(who: Who, source: Pick, wished: WishedFields, expected: boolean | null) {
    [this.who, this.source, this.wished, this.expected] = [who, source, wished, expected];
  }
  check = ({ sources }: Readonly<Model>) => sources.length > 0;
  async run(model: Model, real: Real): Promise<void> {
    const eyes = eyesOf(model, this.who);
    const source = picked(model.sources, this.source);
    const fields = fieldsOf(model, source.kind, this.wished);
    const outcome = update(model, eyes, source, fields, this.expected);
    const headers = ifMatch(source.revision, this.expected);
    const path = `${pathOf(source.kind)}/${source.id}`;
    const answer = await askFor(`${this}`, outcome, () =>
      clientOf(real, eyes).put(path, bodyOf(source.kind, fields), headers),
    );
    if (outcome !== '200') return;
    const { poolId, ...rest } = fields;
    Object.assign(source, rest, poolId === undefined ? {} : { poolIds: poolId === null ? [] : [poolId] });
    source.revision += 1;
    expectShown(answer, source);
  }
  toString = () => `update source ${this.source} as ${this.who.as} ${JSON.stringify([this.wished, this.expected])}`;
}

class ArchiveSource implements Command {
  readonly who: Who;
  readonly source: Pick;
  readonly expected: boolean | null;
  constructor(who: Who, source: Pick, expected: boolean | null) {
    [this.who, this.source, this.expected] = [who, source, expected];
  }
  check = ({ sources }: Readonly<Model>) => sources.length > 0;
  async run(model: Model, real: Real): Promise<void> {
    const eyes = eyesOf(model, this.who);
    const source = picked(model.sources, this.source);
    const outcome = archive(eyes, source, this.expected);
    const headers = ifMatch(source.revision, this.expected);
    const path = `${pathOf(source.kind)}/${source.id}`;
    const answer = await askFor(`${this}`, outcome, () => clientOf(real, eyes).delete(path, headers));
    if (outcome !== '200') return;
    if (!source.archived) source.revision += 1;
    source.archived = true;
    expectShown(answer, source);
  }
  toString = () => `archive source ${this.source} as ${this.who.as} ${this.expected}`;
}

class JoinPool implements Command {
  readonly who: Who;
  readonly source: Pick;
  readonly pool: Pick;
  /** Of supply sources: subscriptions have no revision of their own. */
  readonly expected: boolean | null;
  constructor(who: Who, source: Pick, pool: Pick, expected: boolean | null) {
    [this.who, this.source, this.pool, this.expected] = [who, source, pool, expected];
  }
  check = ({ sources, pools }: Readonly<Model>) => sources.length > 0 && pools.length > 0;
  async run(model: Model, real: Real): Promise<void> {
    const eyes = eyesOf(model, this.who);
    const source = picked(model.sources, this.source);
    const pool = picked(model.pools, this.pool);
    const supplied = source.kind === 'supply';
    const outcome = join(eyes, source, supplied ? this.expected : null);
    const headers = ifMatch(source.revision, this.expected);
    const client = clientOf(real, eyes);
    await askFor(`${this}`, outcome, () =>
      supplied
        ? client.put(`/api/supply/pools/${pool.id}/assign`, { publisher_id: source.id }, headers)
        : client.post(`/api/demand/sources/${source.id}/pools/${pool.id}`),
    );
    if (outcome !== '200') return;
    if (source.kind === 'supply') {
      source.poolIds = [pool.id];
      source.revision += 1;
    } else if (!source.poolIds.includes(pool.id)) {
      source.poolIds.push(pool.id);
      source.revision += 1;
    }
  }
  toString = () => `put source ${this.source} into pool ${this.pool} as ${this.who.as} ${this.expected}`;
}

/** A demand source unsubscribes; a supply source is assigned to no pool. */
class LeavePool implements Command {
  readonly who: Who;
  readonly source: Pick;
  readonly pool: Pick;
  constructor(who: Who, source: Pick, pool: Pick) {
    [this.who, this.source, this.pool] = [who, source, pool];
  }
  check = ({ sources, pools }: Readonly<Model>) => sources.length > 0 && pools.length > 0;
  async run(model: Model, real: Real): Promise<void> {
    const eyes = eyesOf(model, this.who);
    const source = picked(model.sources, this.source);
    // As often as not, a pool that it is in.
    const inOne = this.pool % 2 === 0 && source.poolIds.length > 0;
    const poolId = inOne ? picked(source.poolIds, this.pool) : picked(model.pools, this.pool).id;
    const outcome = join(eyes, source);
    const client = clientOf(real, eyes);
    await askFor(`${this}`, outcome, () =>
      source.kind === 'supply'
        ? client.put(`${pathOf('supply')}/${source.id}`, { pool_id: null })
        : client.delete(`/api/demand/sources/${source.id}/pools/${poolId}`),
    );
    if (outcome !== '200') return;
    if (source.kind === 'supply' || source.poolIds.includes(poolId)) source.revision += 1;
    source.poolIds = source.kind === 'supply' ? [] : source.poolIds.filter((id) => id !== poolId);
  }
  toString = () => `take source ${this.source} out of pool ${this.pool} as ${this.who.as}`;
}

function fieldsOf({ partners, pools }: Model, kind: SourceKind, wished: WishedFields): SourceFields {
  const idOf = (those: readonly { id: string }[], pick: Pick | null | undefined) =>
    pick === null || pick === undefined ? pick : those.length === 0 ? undefined : picked(those, pick).id;
  const fields = {
    name: wished.name,
    sandbox: wished.sandbox,
    partnerId: idOf(partners, wished.partner),
    poolId: kind === 'supply' ? idOf(pools, wished.pool) : undefined,
    amount: wished.amount,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function bodyOf(kind: SourceKind, { name, sandbox, partnerId, poolId, amount }: SourceFields): object {
  const amounts = kind === 'supply' ? { floor_price_cpm: amount } : { daily_budget_cents: amount };
  return { name, sandbox, partner_id: partnerId, pool_id: poolId, ...amounts };
}

/** A source as the API should show it, as far as the model knows. */
export function shown(source: ModelSource): Record<string, unknown> {
  const { kind, id, name, sandbox, partnerId, poolIds, amount } = source;
  const common = { id, name, sandbox, status: statusOf(source), partner_id: partnerId };
  return kind === 'supply'
    ? { ...common, pool_id: poolIds[0] ?? null, floor_price_cpm: amount }
    : { ...common, daily_budget_cents: amount };
}

function expectShown({ body, headers }: { body: unknown; headers: Headers }, source: ModelSource): void {
  expect(body).to.deep.include(shown(source));
  expect(headers.get('etag')).to.equal(`"${source.revision}"`);
}
