import { expect } from 'chai';
import { hashPassword, isPassword } from '#gateways/management/identity/passwords/password-hash';
import { defaultManagementSettings } from '#gateways/management/settings';

const cheap = { log2n: 4, r: 1, p: 1 };

describe('gateways/management/identity/passwords', () => {
  describe('a password hash', () => {
    it('knows its password, and no other', async () => {
      const stored = await hashPassword('correct horse battery', cheap);
      expect(stored).not.to.include('correct');
      expect(await isPassword('correct horse battery', stored)).to.equal(true);
      for (const wrong of ['correct horse batterz', 'Correct horse battery', '', 'correct horse battery ']) {
        expect(await isPassword(wrong, stored), wrong).to.equal(false);
      }
    });

    it('is salted', async () => {
      expect(await hashPassword('correct horse battery', cheap)).not.to.equal(
        await hashPassword('correct horse battery', cheap),
      );
    });

    it('is the scrypt of RFC 7914, §12', async () => {
      const base64url = (text: string) => Buffer.from(text).toString('base64url');
      const hash = Buffer.from('fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162', 'hex');
      const stored = `$scrypt$ln=10,r=8,p=16$${base64url('NaCl')}$${hash.toString('base64url')}`;
      expect(await isPassword('password', stored)).to.equal(true);
    });

    it('costs what OWASP recommends, unless a test lowers it', async () => {
      expect(await hashPassword('correct horse battery')).to.match(/^\$scrypt\$ln=14,r=8,p=5\$/);
      expect(defaultManagementSettings.passwordHashCost).to.deep.equal({ log2n: 14, r: 8, p: 5 });
    });

    it('says what it cost, and goes on working when the price rises', async () => {
      const stored = await hashPassword('correct horse battery', { log2n: 5, r: 2, p: 3 });
      expect(stored).to.match(/^\$scrypt\$ln=5,r=2,p=3\$[\w-]{22}\$[\w-]{43}$/);
      expect(await isPassword('correct horse battery', stored)).to.equal(true);
    });

    it('knows a password however its characters are composed', async () => {
      const stored = await hashPassword('mot de passe de Zo\u00eb', cheap);
      expect(await isPassword('mot de passe de Zoe\u0308', stored)).to.equal(true);
    });
  });
});
