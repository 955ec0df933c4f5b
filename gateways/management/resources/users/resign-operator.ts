import { operatorsId } from '../../../../actors/operators/messages.ts';
import { operators } from '../../../../actors/operators/operators.ts';
import { isActiveOperator, type UserState } from '../../../../actors/user/reduce.ts';
import { ApiError } from '../../../errors.ts';
import type { ManagementDeps } from '../../deps.ts';

/**
 * Before a user becomes `after`: whoever ceases to be an operator leaves the operators' roll first, which refuses the last
 * one (CONFLICT). A revision that is not expected is refused before (PRECONDITION_FAILED), since the roll would not know.
 */
export async function resignOperator(
  { messenger }: Pick<ManagementDeps, 'messenger'>,
  userId: string,
  before: UserState,
  after: Pick<UserState, 'role' | 'status'>,
  expecting: readonly number[] | undefined,
): Promise<void> {
  if (!isActiveOperator(before) || isActiveOperator(after)) return;
  if (expecting !== undefined && !expecting.includes(before.revision)) throw new ApiError('PRECONDITION_FAILED');
  await messenger.ask(operators, operatorsId, 'leave', { userId });
}
