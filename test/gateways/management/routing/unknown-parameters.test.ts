import { expect } from 'chai';
import Type from 'typebox';
import { unknownParametersWarning } from '#gateways/management/routing/unknown-parameters';

describe('gateways/management/routing/unknown-parameters', () => {
  const schema = Type.Object({ period: Type.Optional(Type.String()) });

  it('says nothing of parameters that the route knows, or every route', () => {
    expect(unknownParametersWarning(schema, {})).to.equal(null);
    expect(unknownParametersWarning(schema, { period: '7d', sandbox: 'true' })).to.equal(null);
  });

  it('names unknown parameters, and quotes none in clear', () => {
    expect(unknownParametersWarning(schema, { perpage: '3', constructor: '1', 'a"\r\n\ud800': '' })).to.equal(
      '299 - "Unknown query parameters: perpage, constructor, a%22%0D%0A%EF%BF%BD"',
    );
  });

  it('is short, whatever was sent', () => {
    const query = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`${at}${'x'.repeat(100)}`, '']));
    const warning = unknownParametersWarning(schema, query);
    expect(warning).to.match(/, and 490 more"$/);
    expect(warning!.length).to.be.below(1_000);
  });
});
