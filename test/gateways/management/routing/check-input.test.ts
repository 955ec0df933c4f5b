import { expect } from 'chai';
import Type from 'typebox';
import { Domain, Name, Timestamp } from '#actors/api-schemas';
import { ApiError } from '#gateways/errors';
import { BillingQuery } from '#gateways/management/resources/source-reports/report-query';
import { bodyCheck, type InputCheck, queryCheck } from '#gateways/management/routing/check-input';

function refusal(check: InputCheck, value: unknown): string {
  try {
    check(value);
  } catch (error) {
    if (error instanceof ApiError) return `${error.code} ${error.message}`;
    throw error;
  }
  return 'none';
}

describe('gateways/management/routing/check-input', () => {
  const check = bodyCheck(
    Type.Object({
      name: Type.Optional(Name),
      domain: Type.Optional(Type.Union([Domain, Type.Null()])),
      blocked: Type.Optional(Type.Array(Domain)),
      code: Type.Optional(Type.String({ pattern: '^[a-z]$' })),
    }),
  );
  const domain = 'an app bundle or a web domain, such as com.example.app or news.example: no scheme, path or port';

  it('says in words what form a text must have', () => {
    expect(refusal(check, { name: ' ' })).to.equal('VALIDATION_ERROR name must be one line of text, not blank.');
    expect(refusal(check, { blocked: ['news.example', 'https://news.example'] })).to.equal(
      `VALIDATION_ERROR blocked[1] must be ${domain}.`,
    );
    expect(refusal(check, { domain: 'https://news.example' })).to.equal(
      `VALIDATION_ERROR domain must be ${domain}, or null.`,
    );
    expect(refusal(queryCheck(BillingQuery), { month: '2026-13' })).to.equal(
      'INVALID_PARAMS month must be a month as YYYY-MM, in UTC; the current one by default.',
    );
  });

  it('takes the date-times that name an instant to a handler', () => {
    const ofTime = queryCheck(Type.Object({ from: Timestamp }));
    for (const from of ['2026-06-30T23:59:59Z', '2026-06-30t23:59:59.123456789z', '2026-07-01T01:59:59+02:00']) {
      expect(refusal(ofTime, { from }), from).to.equal('none');
      expect(Date.parse(from), from).not.to.be.NaN;
    }
    for (const from of ['2026-06-30T23:59:60Z', '2026-07-01T01:59:60+02:00', '2026-06-30T23:59:59Z[Europe/Paris]']) {
      expect(refusal(ofTime, { from }), from).to.equal('INVALID_PARAMS from must be a date-time.');
    }
  });

  it('lists all that is wrong at once, what is missing first, in words for people', () => {
    const many = bodyCheck(
      Type.Object(
        {
          cpm: Type.Number({ minimum: 0, maximum: 200 }),
          name: Type.String({ maxLength: 3 }),
          type: Type.Enum(['ctv', 'web']),
          tags: Type.Array(Type.Object({ weight: Type.Integer() }), { maxItems: 1 }),
          needed: Type.String(),
        },
        { additionalProperties: false },
      ),
    );
    const body = { cpm: 201, name: 'four', type: 'tv', tags: [{ weight: 'x' }, { weight: 1.5 }], 'odd~/name': 1 };
    try {
      many(body);
      expect.fail('nothing was refused');
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const told = [
        ['needed', 'needed is required.'],
        ['odd~/name', 'odd~/name is not a known field.'],
        ['cpm', 'cpm must be at most 200.'],
        ['name', 'name must have at most 3 characters.'],
        ['tags', 'tags must have at most 1 entries.'],
        ['tags[0].weight', 'tags[0].weight must be an integer.'],
        ['tags[1].weight', 'tags[1].weight must be an integer.'],
        ['type', 'type must be one of ctv, web.'],
      ].map(([field, message]) => ({ field, message }));
      expect([error.code, error.field, error.message]).to.deep.equal([
        'INVALID_PARAMS',
        'needed',
        'needed is required.',
      ]);
      expect(error.details.errors?.slice(0, 2)).to.deep.equal(told.slice(0, 2));
      expect(error.details.errors).to.have.deep.members(told);
    }
  });

  it('tells of at most fifty faults, and of more than the library stops at', () => {
    const numbers = bodyCheck(Type.Object({ list: Type.Array(Type.Integer()) }));
    for (const [wrong, told] of [
      [20, 20],
      [200, 50],
    ] as const) {
      try {
        numbers({ list: Array(wrong).fill('x') });
        expect.fail('nothing was refused');
      } catch (error) {
        expect((error as ApiError).details.errors).to.have.length(told);
      }
    }
  });

  it('names the one value that there is', () => {
    const one = bodyCheck(Type.Object({ status: Type.Literal('active') }));
    expect(refusal(one, { status: 'disabled' })).to.equal('VALIDATION_ERROR status must be active.');
  });

  it('refuses a form for which there are no words', () => {
    expect(refusal(check, { code: 'A' })).to.equal('VALIDATION_ERROR code has a form that is not allowed.');
  });
});
