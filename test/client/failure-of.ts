import { expect } from 'chai';
import { ExchangeError } from '#client/index';

/** The error that a call rejects with. */
export async function failureOf(call: Promise<unknown>): Promise<ExchangeError> {
  const error = await call.then(
    () => null,
    (thrown) => thrown,
  );
  expect(error).to.be.instanceOf(ExchangeError);
  return error;
}
