import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { loadCountries } from '../../composition/load-countries.ts';
import { parseIp } from '../../edge/addresses/ip-address.ts';
import { InvalidSettings } from '../../settings.ts';
import { mmdbOf } from '../support/mmdb.ts';

describe('GEOIP_DATABASE', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'countries-'));
  });
  after(() => rm(folder, { recursive: true }));

  it('says in which country an address is, as a MaxMind database has it', async () => {
    const path = join(folder, 'country.mmdb');
    await writeFile(path, mmdbOf({ '84.23.0.0/16': 'DE', '91.12.4.0/24': 'AE' }));
    const countries = await loadCountries(path);
    const of = (address: string) => countries.countryOf(parseIp(address)!);
    for (let time = 0; time < 2; time++) {
      expect(['84.23.17.9', '84.24.0.1', '91.12.4.255', '91.12.5.0', '2a02::1'].map(of)).to.deep.equal([
        'DEU',
        null,
        'ARE',
        null,
        null,
      ]);
    }
  });

  it('that is missing or none is a setting that is wrong', async () => {
    const path = join(folder, 'no.mmdb');
    await writeFile(path, 'this is no database');
    for (const wrong of [path, join(folder, 'missing.mmdb')]) {
      const outcome = await loadCountries(wrong).catch((error: unknown) => error);
      expect(outcome, wrong).to.be.instanceOf(InvalidSettings);
      expect((outcome as Error).message).to.contain('GEOIP_DATABASE');
    }
  });
});
