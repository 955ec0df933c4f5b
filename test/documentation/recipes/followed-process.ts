import { expect } from 'chai';
import { actorKinds } from '#composition/actor-kinds';
import { redactForBidders } from '#exchange/openrtb/dialect';
import { InvalidBidRequest } from '#exchange/openrtb/invalid-bid-request';
import { parseBidRequest } from '#exchange/openrtb/parse-bid-request';
import { fieldKind } from '#exchange/strategy/openrtb-fields';
import { InvalidSettings, readSettings } from '#settings';
import { eventually } from '#test/support/eventually';
import { type RunningManagement, startManagement } from '../../gateways/management/running-management.ts';
import { environmentExample } from '../environment-example.ts';
import { settingsPage } from '../settings-page.ts';

/**
 * What the examples of CONTRIBUTING do in sources to which they were added: recipes.test.ts has them compiled there and
 * runs this suite on them. Here, without them, all of it fails.
 */
describe('what was added by the recipes', () => {
  let running: RunningManagement;
  before(async function () {
    running = await startManagement(this, 'embedded');
  });
  after(() => running?.close());

  it('is a kind of actor, which answers an ask and is saved', async () => {
    const complaints = actorKinds.find(({ kind }) => kind === 'complaints')!;
    const add = (count: number) => running.node.messenger.ask(complaints, 'shop.example', 'add', { count });
    expect(await add(2)).to.deep.equal({ count: 2 });
    expect(await add(3)).to.deep.equal({ count: 5 });
    const [document] = await running.store.load([{ kind: 'complaints', id: 'shop.example' }]);
    expect(document?.state).to.deep.equal({ count: 5 });
  });

  it('is a field of a pool, from the API to the state, to replicas and back', async () => {
    const made = await running.api.post('/api/supply/pools', { name: 'Blue', colour: 'blue' });
    expect([made.status, made.body.colour], JSON.stringify(made.body)).to.deep.equal([201, 'blue']);
    const path = `/api/supply/pools/${made.body.id}`;
    const replicated = () => running.node.replica.get<{ colour?: string }>('pool', made.body.id)?.colour;
    await eventually('the colour to be replicated', () => replicated() === 'blue');
    expect((await running.api.put(path, { colour: 'red' })).body.colour).to.equal('red');
    expect((await running.api.get(path)).body).to.include({ name: 'Blue', colour: 'red' });
    await eventually('the new colour to be replicated', () => replicated() === 'red');
    const [document] = await running.store.load([{ kind: 'pool', id: made.body.id }]);
    expect(document?.state).to.include({ colour: 'red' });
    expect((await running.api.put(path, { colour: 'green' })).status).to.equal(400);
    const plain = await running.api.post('/api/supply/pools', { name: 'Of no colour' });
    expect(plain.body.colour).to.equal('red');
  });

  it('is an endpoint, which answers over HTTP and is described', async () => {
    const body = { name: 'A source', domain: 'd.example', type: 'web', floor_price_cpm: 2.5 };
    const { id } = (await running.api.post('/api/supply/sources', body)).body;
    const { status, body: answer } = await running.api.get(`/api/supply/sources/${id}/floor`);
    expect([status, answer]).to.deep.equal([200, { floor_price_cpm: 2.5 }]);
    const { paths } = (await running.anonymous.get('/api/openapi.json')).body;
    expect(paths['/api/supply/sources/{id}/floor'].get.operationId).to.equal('getSupplySourceFloor');
  });

  it('is a field of a bid request, which is checked, passed on and compared', () => {
    const request = (orientation: unknown) => ({ id: 'r', imp: [{ id: '1', banner: {} }], device: { orientation } });
    const accepted = parseBidRequest(request(90));
    expect(accepted.device).to.include({ orientation: 90 });
    expect(redactForBidders(accepted, 'open').device).to.include({ orientation: 90 });
    expect(() => parseBidRequest(request('upright'))).to.throw(InvalidBidRequest);
    expect(fieldKind('device.orientation')).to.equal('number');
  });

  it('is a setting, which is read within its bounds and documented', () => {
    const read = (environment: Record<string, string>) =>
      (readSettings(environment) as unknown as Record<string, unknown>).complaintsPerHour;
    expect([read({}), read({ COMPLAINTS_PER_HOUR: '7' })]).to.deep.equal([10, 7]);
    expect(() => read({ COMPLAINTS_PER_HOUR: '1001' })).to.throw(InvalidSettings);
    expect(settingsPage()).to.include('`COMPLAINTS_PER_HOUR`');
    expect(environmentExample()).to.include('COMPLAINTS_PER_HOUR=10');
  });
});
