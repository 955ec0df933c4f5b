import { readFile } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import { expect } from 'chai';
import type { Setting } from '../../settings/declaration.ts';
import { SECRET_SETTINGS, SETTINGS_GROUPS } from '../../settings/declared-settings.ts';
import { readSettings } from '../../settings.ts';
import { environmentExample } from './environment-example.ts';
import { settingsPage } from './settings-page.ts';

const declared = SETTINGS_GROUPS.flatMap(({ settings }): Setting[] => Object.values(settings));
const names = declared.map(({ name }) => name);

describe('the documentation of settings', () => {
  it('is what the declaration says: `npm run reference` writes it anew', async () => {
    expect(await readFile('docs/settings.md', 'utf8')).to.equal(settingsPage());
    expect(await readFile('.env.example', 'utf8')).to.equal(environmentExample());
  });

  it('declares each setting once, and each that is declared is read', () => {
    expect(new Set(names).size).to.equal(names.length);
    const read = new Set<string>();
    const given: Record<string, string> = { CREATIVES_S3_BUCKET: 'creatives', TCF_VENDOR_ID: '7' };
    readSettings(
      new Proxy(given, {
        get: (target, name) => {
          read.add(String(name));
          return target[String(name)];
        },
      }),
    );
    expect([...read]).to.have.members([...names, ...SECRET_SETTINGS.map((name) => `${name}_FILE`)]);
  });

  it('has an example environment that changes nothing as it stands, and is valid with every line taken in', async () => {
    const example = await readFile('.env.example', 'utf8');
    expect(parseEnv(example)).to.deep.equal({});
    const lines = parseEnv(example.replace(/^#(?=[A-Z])/gm, ''));
    expect(Object.keys(lines)).to.have.members(names);
    const given = new Set<string>();
    expect({ ...readSettings(lines as Record<string, string>), given }).to.deep.equal({ ...readSettings({}), given });
  });

  it('states defaults within their own bounds', () => {
    for (const { name, fallback, range, choices } of declared) {
      if (!('value' in fallback)) continue;
      if (range !== undefined) expect(fallback.value, name).to.be.within(...range);
      if (choices !== undefined) expect(choices, name).to.include(String(fallback.value));
    }
  });
});
