import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { LOSS_REASONS, NO_BID_REASONS } from '../../exchange/auction/loss-reason.ts';
import { BID_FIELDS } from '../../exchange/openrtb/bid-response-shape.ts';
import { MACROS } from '../../exchange/openrtb/macros.ts';
import { dspPage, EXPLAINED_FIELDS } from './dsp-page.ts';

describe('docs/dsp.md', () => {
  const page = readFileSync('docs/dsp.md', 'utf8');

  it('is made of what the exchange reads: `npm run reference` writes it anew', () => {
    expect(page).to.equal(dspPage());
  });

  it('explains each field of a bid that is read, and no other', () => {
    expect(EXPLAINED_FIELDS).to.have.members(Object.keys(BID_FIELDS));
  });

  it('has every macro and every reason', () => {
    for (const name of Object.keys(MACROS)) expect(page).to.include(`| \`\${AUCTION_${name}}\``);
    for (const reason of [...Object.keys(LOSS_REASONS), ...Object.keys(NO_BID_REASONS)])
      expect(page).to.include(`| \`${reason}\``);
  });
});
