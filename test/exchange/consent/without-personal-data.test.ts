import { expect } from 'chai';
import { fieldRetention, withoutPersonalData } from '#exchange/consent/without-personal-data';
import type { BidRequest } from '#exchange/openrtb/bid-request';

const request: BidRequest = {
  id: 'request-1',
  imp: [
    {
      id: '1',
      tagid: 'top',
      bidfloor: 1.5,
      video: { mimes: ['video/mp4'], w: 640, h: 360, ext: { who: 'x' } },
      pmp: { private_auction: 1, deals: [{ id: 'deal-1', wseat: ['seat'], ext: { who: 'x' } }] },
      ext: { gpid: '/1/top' },
    },
  ],
  app: { id: 'pub-1', bundle: 'com.example.app', content: { genre: 'drama', ...{ url: 'https://a.test/e?u=1#t' } } },
  device: { ua: 'Mozilla/5.0', ip: '203.0.113.9', devicetype: 4, geo: { country: 'GBR', city: 'Leeds', lat: 53.8 } },
  user: { id: 'viewer-123456' },
  regs: { coppa: 1, gpp: 'DBABMA', ext: { gdpr: 1 } },
  cur: ['USD'],
};

describe('a request without the person', () => {
  it('keeps what the standard names of inventory, imps and device, and nothing else', () => {
    expect(withoutPersonalData(request, 'open')).to.deep.equal({
      id: 'request-1',
      imp: [
        {
          id: '1',
          tagid: 'top',
          bidfloor: 1.5,
          video: { mimes: ['video/mp4'], w: 640, h: 360 },
          pmp: { private_auction: 1, deals: [{ id: 'deal-1', wseat: ['seat'] }] },
        },
      ],
      app: { id: 'pub-1', bundle: 'com.example.app', content: { genre: 'drama', url: 'https://a.test/e' } },
      device: { devicetype: 4, geo: { country: 'GBR', city: 'Leeds' } },
      regs: { coppa: 1 },
      cur: ['USD'],
    });
  });

  it('does not say where in a country a child is', () => {
    expect(withoutPersonalData(request, 'child').device).to.deep.equal({ devicetype: 4, geo: { country: 'GBR' } });
  });

  it('erases ids that other fields repeat, and leaves the request as it was', () => {
    const before = structuredClone(request);
    const repeating = { ...request, app: { ...request.app, name: 'For viewer-123456' } } as BidRequest;
    expect(withoutPersonalData(repeating, 'open').app).to.include({ name: 'For ' });
    expect(request).to.deep.equal(before);
  });

  it('takes whatever strangers put where the standard has something else', () => {
    const strange = JSON.parse(
      '{"id":"r","imp":[{"id":"1","banner":{"format":["no",7,null,{"w":300}]},"__proto__":{"x":1}}],"site":{"content":[]},"device":{"geo":"here"},"nobody":{"knows":1}}',
    );
    expect(withoutPersonalData(strange, 'open')).to.deep.equal({
      id: 'r',
      imp: [{ id: '1', banner: { format: [{ w: 300 }] } }],
      site: { content: [] },
      device: {},
    });
  });

  it('says of each field that conditions can look at how much is kept', () => {
    for (const field of ['device.devicetype', 'geo.country', 'imp.bidfloor', 'content.genre', 'site.domain'])
      expect(fieldRetention(field), field).to.equal('all');
    for (const field of ['site.page', 'site.ref', 'content.url'])
      expect(fieldRetention(field), field).to.equal('partly');
    for (const field of ['user.gender', 'device.ua', 'device.ip', 'geo.lat', 'imp.ext.data', 'device.sua.mobile'])
      expect(fieldRetention(field), field).to.equal('nothing');
  });
});
