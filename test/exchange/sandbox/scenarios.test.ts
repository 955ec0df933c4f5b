import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { REGS } from '#exchange/openrtb/fields/regs';
import { SOURCE } from '#exchange/openrtb/fields/source';
import { USER } from '#exchange/openrtb/fields/user';
import { movedFields } from '#exchange/openrtb/moved-fields';
import { parseBidRequest } from '#exchange/openrtb/parse-bid-request';
import { publisherCandidates } from '#exchange/openrtb/publisher-candidates';
import { readSignals } from '#exchange/openrtb/signals';
import { scenarioNames, scenarios } from '#exchange/sandbox/scenarios';

const publisherId = 'publisher-1';
const cast = () => ({ newId: randomUUID, publisherId, domain: 'inventory.example' });

describe('the sandbox’s scenarios', () => {
  it('are those of the specification, the default first', () => {
    expect(scenarioNames).to.deep.equal(['ctv-uae-drama', 'mobile-uk-sport', 'web-us-news', 'ctv-timeout']);
  });

  for (const name of scenarioNames) {
    describe(name, () => {
      const { request: write, publisherType } = scenarios[name];
      const request = write(cast());

      it('is a bid request that we would take ourselves', () => {
        const document = JSON.parse(JSON.stringify(request));
        expect(parseBidRequest(document)).to.deep.equal(request);
        expect(publisherCandidates(request)[0]).to.equal(publisherId);
      });

      it('is whole: a test of one imp with a floor in dollars, and all that targeting looks at', () => {
        const { at, test, cur, imp, device, app, site } = request;
        expect({ at, test, cur }).to.deep.equal({ at: 1, test: 1, cur: ['USD'] });
        expect(imp).to.have.length(1);
        expect(imp[0]!.bidfloor).to.be.greaterThan(0);
        expect(Boolean(imp[0]!.video), 'video').to.equal(publisherType === 'ctv');
        expect(Boolean(imp[0]!.banner), 'banner').to.equal(publisherType !== 'ctv');
        expect(Boolean(site), 'site').to.equal(publisherType === 'web');
        expect((site ?? app)?.content?.genre).to.equal(name.startsWith('ctv') ? 'drama' : name.split('-')[2]);
        expect(device?.geo).to.include.keys('country', 'region', 'city');
        expect(device?.devicetype).to.equal({ ctv: 3, mobile: 4, web: 2 }[publisherType]);
      });

      it('has what 2.6 moved where 2.5 has it', () => {
        const places = { regs: REGS, user: USER, source: SOURCE };
        for (const [place, table] of Object.entries(places)) {
          expect(request[place as keyof typeof places] ?? {}, place).to.not.have.any.keys(...movedFields(table));
        }
        const { gdpr, schain } = readSignals(request);
        expect(gdpr).to.equal(name === 'mobile-uk-sport' ? 1 : 0);
        expect(schain?.nodes[0]?.sid).to.equal(publisherId);
      });

      it('is another request each time', () => {
        const again = write(cast());
        expect(again.id).to.not.equal(request.id);
        expect(again.source?.tid).to.not.equal(request.source?.tid);
        expect(again.imp).to.deep.equal(request.imp);
      });
    });
  }

  it('carry the consents of their countries', () => {
    expect(readSignals(scenarios['mobile-uk-sport'].request(cast())).consent).to.match(/^C[\w-]+$/);
    expect(readSignals(scenarios['web-us-news'].request(cast()))).to.include({ usPrivacy: '1YNN' });
  });

  it('leave little time in ctv-timeout, and all of it elsewhere', () => {
    for (const name of scenarioNames) {
      const { tmax } = scenarios[name].request(cast());
      if (name === 'ctv-timeout') expect(tmax).to.equal(30);
      else expect(tmax).to.be.greaterThan(160);
    }
  });
});
