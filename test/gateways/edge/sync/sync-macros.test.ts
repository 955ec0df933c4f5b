// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the macros as demand sources write them
import { validateHeaderValue } from 'node:http';
import { expect } from 'chai';
import { syncUrl } from '#gateways/edge/sync/sync-macros';

describe('gateways/edge/sync: URLs that are called', () => {
  const call = { userId: 'a viewer', signals: {}, setterUrl: 'https://edge.example/sync/set?dsp=d' };

  it('have their macros filled in, encoded, and unknown ones left', () => {
    expect(syncUrl('https://b.example/m?u=${USER_ID}&r=${REDIRECT_URL}&g=${GDPR}&o=${OTHER}', call)).to.equal(
      'https://b.example/m?u=a%20viewer&r=https%3A%2F%2Fedge.example%2Fsync%2Fset%3Fdsp%3Dd%26uid%3D%24%7BUID%7D&g=&o=${OTHER}',
    );
  });
  it('are headers that can be sent, whatever was registered', () => {
    for (const template of ['https://b.example/→/${USER_ID}', 'https://b.example/m\r\nSet-Cookie: a=b?u=${USER_ID}']) {
      const url = syncUrl(template, call);
      expect(() => validateHeaderValue('Location', url), url).to.not.throw();
      expect(new URL(url).host).to.equal('b.example');
    }
  });
});
