import { expect } from 'chai';
import { noBid, type ScriptedBidder } from '#test/support/bidder';
import { EdgeUnderTest } from '#test/support/edge';

const ROKU = 'Roku/DVP-12.0 (12.0.0.4183-AE)';
const FIRE_TV = 'Dalvik/2.1.0 (Linux; U; Android 9; AFTMM Build/PS7613)';
const STITCHER = 'Lavf/58.76.100';
const EXO = 'ExoPlayerLib/2.18.1';
const APPLE_TV = 'AppleCoreMedia/1.0.0.20K71 (Apple TV; U; CPU OS 16_1 like Mac OS X; en_us)';

describe('a tag that a television or a server for streams calls', () => {
  let edge: EdgeUnderTest;
  let bidder: ScriptedBidder;
  beforeEach(async () => {
    edge = await new EdgeUnderTest().start();
    bidder = await edge.bidder(noBid());
  });
  afterEach(() => edge.close());

  for (const type of ['ctv', 'mobile', 'web'] as const) {
    for (const userAgent of [ROKU, FIRE_TV, APPLE_TV, EXO, STITCHER]) {
      it(`is no bot’s on a ${type} source: ${userAgent.slice(0, 30)}`, async () => {
        edge.publisher({ type, domain: type === 'web' ? 'site.test' : 'com.example.app' });
        const response = await edge.get('/vast?site_id=pub-1', { 'user-agent': userAgent });
        expect(response.status).to.equal(200);
        const { device, app, site } = (await bidder.waitForRequests('/bid'))[0]!.body;
        const isTelevision = userAgent !== EXO && userAgent !== STITCHER;
        expect(device.devicetype).to.equal(isTelevision || type === 'ctv' ? 3 : undefined);
        expect([app !== undefined, site !== undefined]).to.deep.equal([type !== 'web', type === 'web']);
      });
    }
  }

  it('takes the viewer’s user agent from a server that hands it on, and keeps to what the tag says of the device', async () => {
    edge.publisher({ type: 'mobile', domain: 'com.example.app' });
    const viewer = `ip=203.0.113.7&ua=${encodeURIComponent(ROKU)}`;
    await edge.get(`/vast?site_id=pub-1&${viewer}`, { 'user-agent': STITCHER });
    await edge.get(`/vast?site_id=pub-1&${viewer}&device_type=7&device_make=Sky&device_os=Own`, {
      'user-agent': STITCHER,
    });
    const [said, stated] = (await bidder.waitForRequests('/bid', 2)).map(({ body }) => body.device);
    expect(said).to.include({ ua: ROKU, devicetype: 3, make: 'Roku', os: 'Roku OS' });
    expect(stated).to.include({ ua: ROKU, devicetype: 7, make: 'Sky', os: 'Own' });
  });

  it('still blocks a bot that names itself one', async () => {
    edge.publisher({ type: 'ctv', domain: 'com.example.app' });
    const response = await edge.get('/vast?site_id=pub-1', { 'user-agent': 'Lavf/58.76.100 (compatible; adbot/1.0)' });
    expect(response.status).to.equal(403);
  });
});
