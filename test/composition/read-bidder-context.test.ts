import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readBidderContext } from '../../composition/read-bidder-context.ts';
import { InvalidSettings } from '../../settings.ts';
import { LOCAL_CERTIFICATE, OTHER_CERTIFICATE } from '../support/local-certificate.ts';

describe('certificates for bidders', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'bidder-context-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  const NONE = { bidderCaFile: null, bidderCertificateFile: null, bidderCertificateKey: null };
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const problem = async (given: object) => {
    const error = await readBidderContext({ ...NONE, ...given }).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(InvalidSettings);
    return (error as Error).message;
  };

  it('are Node’s own where the settings name none', async () => {
    expect(await readBidderContext(NONE)).to.equal(null);
  });

  it('are read from PEM files with words between them', async () => {
    const both = `Ours\n${LOCAL_CERTIFICATE.cert}\n# theirs\n${OTHER_CERTIFICATE.cert}\n`;
    const bidderCertificateFile = file('own.pem', OTHER_CERTIFICATE.cert);
    const given = { bidderCaFile: file('both.pem', both), bidderCertificateFile };
    expect(await readBidderContext({ ...given, bidderCertificateKey: OTHER_CERTIFICATE.key })).not.to.equal(null);
  });

  it('stop the start where they cannot be read, and name the setting', async () => {
    expect(await problem({ bidderCaFile: join(folder, 'none') })).to.match(/^BIDDER_CA_FILE cannot be read: ENOENT/);
    expect(await problem({ bidderCaFile: file('empty', 'hello') })).to.match(
      /^BIDDER_CA_FILE: .* has no certificate in PEM$/,
    );
    const broken = LOCAL_CERTIFICATE.cert.replace('MIIB', 'AAAA');
    expect(await problem({ bidderCaFile: file('broken', `${OTHER_CERTIFICATE.cert}\n${broken}`) })).to.match(
      /^BIDDER_CA_FILE: certificate 2 of .* cannot be read$/,
    );
  });

  it('stop the start with a key of another certificate, without showing it', async () => {
    const bidderCertificateFile = file('certificate.pem', LOCAL_CERTIFICATE.cert);
    for (const bidderCertificateKey of [OTHER_CERTIFICATE.key, 'hush']) {
      const said = await problem({ bidderCertificateFile, bidderCertificateKey });
      expect(said).to.match(/^BIDDER_CERTIFICATE_FILE and BIDDER_CERTIFICATE_KEY cannot be used: /);
      expect(said).not.to.include('hush');
    }
  });
});
