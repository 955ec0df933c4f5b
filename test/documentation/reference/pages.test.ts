import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { REASONS } from '#exchange/auction/explain-reason';
import { BID_FIELDS } from '#exchange/openrtb/bid-response-shape';
import { type ErrorCode, errorCatalogue } from '#gateways/errors';
import { declaredFields } from '../../exchange/openrtb/fields/declared-fields.ts';
import { errorsPage, OF_THE_EDGE } from './errors-page.ts';
import { lossReasonsPage } from './loss-reasons-page.ts';
import { openrtbPage, WRITTEN } from './openrtb-page.ts';

const PAGES = [
  ['docs/reference/openrtb.md', openrtbPage],
  ['docs/reference/loss-reasons.md', lossReasonsPage],
  ['docs/reference/errors.md', errorsPage],
] as const;

function sourcesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8'));
}

describe('docs/reference', () => {
  for (const [path, made] of PAGES) {
    it(`has ${path} as it is made of the declarations: \`npm run reference\` writes it anew`, () => {
      expect(readFileSync(path, 'utf8')).to.equal(made());
    });
  }

  it('has each declared field of a bid request below the heading of its object, and each of a bid', () => {
    const sections = openrtbPage().split('\n### ');
    for (const { path } of declaredFields()) {
      const steps = path.split('.');
      const name = steps.pop()!;
      const heading = steps.length === 0 ? 'The request' : `\`${steps.join('.')}\``;
      const section = sections.find((text) => text.split('\n')[0]!.split(', ').includes(heading));
      // Objects that are only compared, such as `device.sua.browsers`, have fields and no table of their own.
      expect(section, path).to.include(`| \`${name}\``);
    }
    const answer = openrtbPage().split('## The bid response')[1]!;
    for (const name of Object.keys(BID_FIELDS)) expect(answer).to.match(new RegExp(`^\\| \`${name}\`( \\*)? `, 'm'));
  });

  it('names as written by the exchange only what is declared', () => {
    const paths = declaredFields().map(({ path }) => path);
    expect(Object.keys(WRITTEN).filter((path) => !paths.includes(path))).to.deep.equal([]);
  });

  it('has every reason once', () => {
    for (const reason of REASONS) expect(lossReasonsPage().split(`\n| \`${reason}\` `).length, reason).to.equal(2);
  });

  it('says of every error whether the edge answers it, as its sources do', () => {
    const thrown = [...sourcesBelow('edge'), ...sourcesBelow('gateways/edge')].flatMap((text) =>
      [...text.matchAll(/new (?:ApiError|RefusedRequest)\(\s*'([A-Z_]+)'/g)].map(([, code]) => code as ErrorCode),
    );
    // What nobody foresaw is answered as such everywhere (gateways/http/answer-error.ts).
    expect(OF_THE_EDGE).to.have.members(['INTERNAL_ERROR', ...new Set(thrown)]);
    for (const code of Object.keys(errorCatalogue)) expect(errorsPage()).to.include(`\n| \`${code}\` `);
  });
});
