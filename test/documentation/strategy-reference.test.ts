import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { Compile } from 'typebox/compile';
import { Strategy } from '../../exchange/strategy/document/strategy.ts';
import { strategyFaults } from '../../exchange/strategy/validate/strategy.ts';
import { strategyReference } from './strategy-reference.ts';

describe('docs/strategy.md', () => {
  let page: string;

  before(async () => {
    page = await readFile('docs/strategy.md', 'utf8');
  });

  it('says what the schema says: `npm run reference` writes it anew', () => {
    expect(page).to.equal(strategyReference());
  });

  it('has an example that is a strategy', () => {
    const [, json = ''] = /```json\n([\s\S]*?)```/.exec(page) ?? [];
    const example = JSON.parse(json);
    expect(Compile(Strategy).Check(example)).to.equal(true);
    const terms = { httpsOnly: true, dspId: example.dsp_id, takenCampaignIds: new Set<string>() };
    expect(strategyFaults(example, terms)).to.deep.equal([]);
  });

  it('names every field of every part', () => {
    const fields = JSON.stringify(Strategy).matchAll(/"([a-z_]+)":\{(?:"type"|"enum"|"anyOf"|"const")/g);
    const names = new Set(
      [...fields].map(([, name]) => name!).filter((name) => name !== 'items' && name !== 'properties'),
    );
    expect(names.size).to.be.greaterThan(50);
    for (const name of names) expect(page, name).to.include(`\`${name}\``);
  });
});
