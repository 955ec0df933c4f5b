import { expect } from 'chai';
import { assertWellFormed } from '../../../../gateways/management/routing/well-formed.ts';

describe('gateways/management/routing/well-formed', () => {
  const fieldOf = (body: unknown): string | undefined => {
    try {
      assertWellFormed(body);
    } catch (error) {
      expect(error).to.include({ code: 'VALIDATION_ERROR' });
      return (error as { field?: string }).field ?? 'a name';
    }
    return undefined;
  };

  it('takes whole characters, of one half or two', () => {
    expect(fieldOf({ name: 'ä𝒳', list: [{ a: '😀' }, null, 1, true], '🔑': '' })).to.equal(undefined);
  });

  for (const [body, field] of [
    [{ name: '\ud800' }, 'name'],
    [{ name: 'a\udc00b' }, 'name'],
    [{ rules: [{}, { conditions: ['ok', '\ud83d'] }] }, 'rules[1].conditions[1]'],
    [{ '\ud800': 1 }, 'a name'],
  ] as const) {
    it(`refuses halves: ${JSON.stringify(body)}`, () => expect(fieldOf(body)).to.equal(field));
  }

  it('survives any depth', () => {
    let deep: unknown = '\ud800';
    for (let level = 0; level < 100_000; level++) deep = [deep];
    expect(fieldOf(deep)).to.match(/^\[0\]\[0\]/);
  });
});
