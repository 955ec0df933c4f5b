import type { StrategyFault } from '#exchange/strategy/validate/fault';
import { ApiError, type ErrorCode } from '#gateways/errors';

/** The error for all faults of a document; `field` is that of the first fault. */
export function faultsError(code: ErrorCode, faults: readonly [StrategyFault, ...StrategyFault[]]): ApiError {
  const [first] = faults;
  const subject = first.path === '' ? 'The body' : first.path;
  const errors = faults.map(({ path, message }) => ({ field: path, message }));
  return new ApiError(code, `${subject} ${first.message}.`, first.path === '' ? undefined : first.path, { errors });
}
