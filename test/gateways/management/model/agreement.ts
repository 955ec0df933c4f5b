import { expect } from 'chai';
import { dsp } from '#actors/dsp/dsp';
import type { DspProjection } from '#actors/dsp/fields';
import type { DspState } from '#actors/dsp/reduce';
import type { PartnerProjection } from '#actors/partner/fields';
import { partner } from '#actors/partner/partner';
import type { PoolProjection } from '#actors/pool/fields';
import { pool } from '#actors/pool/pool';
import type { PublisherProjection } from '#actors/publisher/fields';
import { publisher } from '#actors/publisher/publisher';
import type { PublisherState } from '#actors/publisher/reduce';
import { eventually } from '#test/support/eventually';
import { type Eyes, type Model, type ModelSource, type SourceKind, sees, statusOf } from './model.ts';
import { clientOf, type Real } from './real.ts';
import { shown } from './source-commands.ts';

/** Demands that what the API lists, what the store keeps and what the edges hold is what the model says. */
export async function expectAgreement(model: Model, real: Real): Promise<void> {
  const partners = model.partners.map(({ id }) => ({ partnerId: id, sandbox: false }));
  for (const eyes of [{ partnerId: null, sandbox: false }, { partnerId: null, sandbox: true }, ...partners]) {
    await expectListed(model, real, eyes);
  }
  await expectStored(model, real);
  await expectReplicated(model, real);
}

async function expectListed(model: Model, real: Real, eyes: Eyes): Promise<void> {
  const client = clientOf(real, eyes);
  const inContext = (kind: SourceKind) =>
    model.sources.filter((source) => source.kind === kind && source.sandbox === eyes.sandbox && sees(eyes, source));
  const supply = (await client.get('/api/supply/sources?per_page=200')).body;
  expect(supply.publishers.map(known)).to.have.deep.members(inContext('supply').map(shown));
  expect(supply.total).to.equal(supply.publishers.length);
  const demand = (await client.get('/api/demand/sources')).body;
  expect(demand.dsps.map(known)).to.have.deep.members(inContext('demand').map(shown));

  const members = (kind: SourceKind, poolId: string) =>
    inContext(kind).filter(({ archived, poolIds }) => !archived && poolIds.includes(poolId)).length;
  const { pools } = (await client.get('/api/supply/pools')).body;
  const countsOf = ({ id, name, floorCpm }: Model['pools'][number]) => ({
    id,
    name,
    description: '',
    floor_price_cpm: floorCpm,
    require_verified: false,
    publisher_count: members('supply', id),
    dsp_count: members('demand', id),
  });
  expect(pools).to.have.deep.members(model.pools.map(countsOf));
}

/** The fields of an answer that the model knows. */
function known(answer: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const names = ['id', 'name', 'sandbox', 'status', 'partner_id', 'pool_id', 'floor_price_cpm', 'daily_budget_cents'];
  return Object.fromEntries(names.filter((name) => name in answer).map((name) => [name, answer[name]]));
}

async function expectStored(model: Model, { running: { store }, accountId }: Real): Promise<void> {
  for (const kind of ['supply', 'demand'] as const) {
    const actor = kind === 'supply' ? publisher : dsp;
    const { documents } = await store.query(actor.kind, { where: { accountId } });
    const stored = documents.map(({ id, state }) => {
      const { name, status, sandbox, partnerId, revision, feePpm, ...rest } = state as PublisherState & DspState;
      const poolIds = kind === 'supply' ? [rest.poolId].filter((poolId) => poolId !== null) : rest.poolIds;
      return { id, name, status, sandbox, partnerId, revision, poolIds, feePpm };
    });
    const expected = model.sources.filter((source) => source.kind === kind).map(inStore);
    expect(stored).to.have.deep.members(expected);
  }
}

function inStore(source: ModelSource): object {
  const { id, name, sandbox, partnerId, revision, poolIds } = source;
  return { id, name, status: statusOf(source), sandbox, partnerId, revision, poolIds, feePpm: feePpmOf(source) };
}

const feePpmOf = ({ feePercent }: ModelSource) => Math.round(feePercent * 10_000);

/** The catalogue follows: it agrees after a moment. */
async function expectReplicated(model: Model, { running, accountId }: Real): Promise<void> {
  const { replica } = running.node;
  const own = <View extends { readonly accountId: string }>(kind: string) =>
    [...replica.all<View>(kind).values()].filter((view) => view.accountId === accountId);
  await eventually('the catalogue to be what the model says', () => {
    expect(own<PartnerProjection>(partner.kind).map(({ id, name }) => ({ id, name }))).to.have.deep.members(
      model.partners.map(({ id, name }) => ({ id, name })),
    );
    expect(
      own<PoolProjection>(pool.kind).map(({ id, name, floorCpmMicros }) => [id, name, floorCpmMicros]),
    ).to.have.deep.members(model.pools.map(({ id, name, floorCpm }) => [id, name, floorCpm * 1_000_000]));
    expect(
      own<PublisherProjection>(publisher.kind).map((view) => [
        view.id,
        view.name,
        view.status,
        view.partnerId,
        view.poolId,
        view.floorCpmMicros,
        view.feePpm,
      ]),
    ).to.have.deep.members(
      model.sources
        .filter(({ kind }) => kind === 'supply')
        .map((one) => [
          one.id,
          one.name,
          statusOf(one),
          one.partnerId,
          one.poolIds[0] ?? null,
          one.amount * 1_000_000,
          feePpmOf(one),
        ]),
    );
    expect(
      own<DspProjection>(dsp.kind).map((view) => [
        view.id,
        view.name,
        view.status,
        view.partnerId,
        view.poolIds,
        view.dailyBudgetCents,
      ]),
    ).to.have.deep.members(
      model.sources
        .filter(({ kind }) => kind === 'demand')
        .map((one) => [one.id, one.name, statusOf(one), one.partnerId, one.poolIds, one.amount]),
    );
    return true;
  });
}
