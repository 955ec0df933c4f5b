import { expect } from 'chai';
import { assertWellFormed } from '#gateways/management/routing/well-formed';

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

  const nested = (levels: number): unknown => {
    let deep: unknown = 1;
    for (let level = 0; level < levels; level++) deep = level % 2 ? [deep] : { deep };
    return deep;
  };

  it('takes 64 levels within a body and no more, however many there are', () => {
    expect(() => assertWellFormed(nested(65))).not.to.throw();
    for (const levels of [66, 1_000, 100_000]) {
      expect(() => assertWellFormed(nested(levels)))
        .to.throw('The body nests deeper than 64 levels.')
        .with.property('code', 'VALIDATION_ERROR');
    }
  });
});
