import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { firstSandbox } from '#gateways/management/bootstrap/account-sandbox';
import { Installation } from '../../composition/installation.ts';
import { bids, type ScriptedBidder, startBidder } from '../../support/bidder.ts';
import { BROWSER_USER_AGENT } from '../../support/browser.ts';
import { eventually } from '../../support/eventually.ts';
import { callJson } from '../../support/exchange.ts';

const CREDENTIALS = {
  BOOTSTRAP_API_KEY: 'pk_live_of-the-commands',
  BOOTSTRAP_SANDBOX_API_KEY: 'pk_sandbox_of-the-commands',
  ADMIN_PASSWORD: 'password of the commands',
  ALLOW_PRIVATE_NETWORKS: 'true',
};

const DEVICE = { ua: BROWSER_USER_AGENT, ip: '198.51.100.7' };
const IMP = { id: '1', banner: { w: 300, h: 250 } };

type Variables = Readonly<Record<string, string>>;

/** A running exchange that has sold something, and the variables that the pages use of it. */
export interface Fixture {
  readonly installation: Installation;
  readonly folder: string;
  /** Of the sandbox. */
  readonly sandbox: Variables;
  /** Of an account's live resources: a sandbox key does not decide for an account. */
  readonly live: Variables;
  remove(): Promise<void>;
}

export async function makeFixture(): Promise<Fixture> {
  const installation = await Installation.make(CREDENTIALS);
  const folder = await mkdtemp(join(tmpdir(), 'commands-'));
  const bidder = await startBidder();
  await installation.start();
  const sandbox = await sellInSandbox(installation);
  const live = await sellLive(installation, bidder);
  const remove = async () => {
    await installation.remove();
    await bidder.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { installation, folder, sandbox, live, remove };
}

/** What every page may use. */
function common({ baseUrl, edgeUrl }: Installation, KEY: string): Variables {
  return { BASE: baseUrl, API: baseUrl, EDGE: edgeUrl, KEY };
}

async function sellInSandbox(installation: Installation): Promise<Variables> {
  const key = CREDENTIALS.BOOTSTRAP_SANDBOX_API_KEY;
  const first = (path: string, list: string): Promise<string> =>
    eventually(path, async () => {
      const { body } = await installation.call('GET', path, undefined, 'sandbox');
      return (body[list] as { readonly id: string }[] | undefined)?.[0]?.id;
    });
  const site = { id: firstSandbox.publisherId, domain: 'sandbox.example' };
  await callJson(
    'POST',
    `${installation.edgeUrl}/rtb`,
    { id: 'first', imp: [IMP], site, device: DEVICE },
    { 'X-API-Key': key },
  );
  return {
    ...common(installation, key),
    PUBLISHER: firstSandbox.publisherId,
    DSP: await first('/api/demand/sources', 'dsps'),
    ID: await first('/api/auctions', 'auctions'),
  };
}

async function sellLive(installation: Installation, bidder: ScriptedBidder): Promise<Variables> {
  const key = CREDENTIALS.BOOTSTRAP_API_KEY;
  const make = async (path: string, body: object): Promise<string> => {
    const answer = await installation.call('POST', path, body);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
    return answer.body.id;
  };
  const POOL = await make('/api/supply/pools', { name: 'Pool of the commands' });
  const site = { name: 'News', domain: 'news.example', type: 'web', pool_id: POOL };
  const PUBLISHER = await make('/api/supply/sources', site);
  const DSP = await make('/api/demand/sources', { name: 'Bidder', mode: 'rtb', endpoint_url: bidder.url });
  await installation.call('POST', `/api/demand/sources/${DSP}/pools/${POOL}`);
  bidder.script = bids({ price: 2, crid: 'spring', adomain: ['shop.example'], w: 300, h: 250, adm: '<b>an ad</b>' });
  let request = 0;
  await eventually('a live sale', async () => {
    const body = {
      id: `live-${request++}`,
      imp: [IMP],
      site: { id: PUBLISHER, domain: 'news.example' },
      device: DEVICE,
    };
    return (await callJson('POST', `${installation.edgeUrl}/rtb`, body, { 'X-API-Key': key })).status === 200;
  });
  const CREATIVE = await eventually('the creative', async () => {
    const { body } = await installation.call('GET', '/api/creatives');
    return (body.creatives as { readonly id: string }[])[0]?.id;
  });
  return { ...common(installation, key), POOL, PUBLISHER, DSP, CREATIVE };
}
