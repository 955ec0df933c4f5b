import { expect } from 'chai';
import { problems } from './problems.ts';

describe('the settings, by their names', () => {
  it('take names of other programs for no misspelt ones, and names that are nearly ours for what they are', () => {
    const others = { APP_PORT: '3000', WS_PORT: '3001', APP_HOST: 'web', META_DIR: '/var/meta' };
    expect(problems(others)).to.deep.equal([]);
    expect(problems({ OPS_PROT: '9091', PS_HOST: '0.0.0.0', DATADIR: '/data' })).to.deep.equal([
      'OPS_PROT is not a setting: OPS_PORT is meant, or unset it',
      'PS_HOST is not a setting: OPS_HOST is meant, or unset it',
      'DATADIR is not a setting: DATA_DIR is meant, or unset it',
    ]);
  });
});
