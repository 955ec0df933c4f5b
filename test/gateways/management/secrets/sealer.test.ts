import { expect } from 'chai';
import fc from 'fast-check';
import { SealBroken, sealer } from '#gateways/management/secrets/sealer';

const secretKey = 'a master secret of at least 32 characters';

describe('sealed text', () => {
  it('opens to what was sealed, whatever it was, and shows nothing of it', () => {
    const { seal, open } = sealer(secretKey, 'webhook');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        const sealed = seal(text);
        expect(open(sealed)).to.equal(text);
        if (text.length > 4) expect(sealed).not.to.contain(text);
      }),
    );
  });

  it('never gives the same result twice', () => {
    const { seal } = sealer(secretKey, 'webhook');
    expect(seal('whsec_1')).not.to.equal(seal('whsec_1'));
  });

  it('opens in another process with the same master secret', () => {
    expect(sealer(secretKey, 'webhook').open(sealer(secretKey, 'webhook').seal('whsec_1'))).to.equal('whsec_1');
  });

  it('does not open for another purpose, nor under another master secret', () => {
    const sealed = sealer(secretKey, 'webhook').seal('whsec_1');
    expect(() => sealer(secretKey, 'source-key').open(sealed)).to.throw(SealBroken);
    expect(() => sealer(`${secretKey}!`, 'webhook').open(sealed)).to.throw(SealBroken);
  });

  it('does not open when any character was changed, or when it is cut', () => {
    const { seal, open } = sealer(secretKey, 'webhook');
    const sealed = seal('whsec_1');
    for (let at = 0; at < sealed.length; at++) {
      // By two places of the alphabet: the last character's lowest bits may belong to no byte.
      const other = sealed[at] === 'A' ? 'Q' : 'A';
      if (at === sealed.length - 1) expect(() => open(sealed.slice(0, at))).to.throw(SealBroken);
      else expect(() => open(sealed.slice(0, at) + other + sealed.slice(at + 1))).to.throw(SealBroken);
    }
    for (const nonsense of ['', 'v1.', 'v2.abc', 'whsec_1']) expect(() => open(nonsense)).to.throw(SealBroken);
  });

  it('opens what an earlier master secret sealed, and seals it under the present one', () => {
    const former = sealer(secretKey, 'webhook').seal('whsec_1');
    const present = sealer(`${secretKey}!`, 'webhook', ['unrelated to both of them', secretKey]);
    expect(present.open(former)).to.equal('whsec_1');
    const anew = present.reseal(former)!;
    expect(sealer(`${secretKey}!`, 'webhook').open(anew)).to.equal('whsec_1');
    expect(present.reseal(anew)).to.equal(null);
    expect(() => sealer(`${secretKey}!`, 'webhook').reseal(former)).to.throw(SealBroken);
  });
});
