import { expect } from 'chai';
import Type from 'typebox';
import { ApiError } from '../../../../gateways/errors.ts';
import { Domain, Name } from '../../../../gateways/management/resources/fields.ts';
import { BillingQuery } from '../../../../gateways/management/resources/source-reports/report-query.ts';
import { bodyCheck, type InputCheck, queryCheck } from '../../../../gateways/management/routing/check-input.ts';

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

  it('names the one value that there is', () => {
    const one = bodyCheck(Type.Object({ status: Type.Literal('active') }));
    expect(refusal(one, { status: 'disabled' })).to.equal('VALIDATION_ERROR status must be active.');
  });

  it('refuses a form for which there are no words', () => {
    expect(refusal(check, { code: 'A' })).to.equal('VALIDATION_ERROR code has a form that is not allowed.');
  });
});
