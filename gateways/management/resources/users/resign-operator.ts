import { operatorsId } from '#actors/operators/messages';
import { operators } from '#actors/operators/operators';
import { isActiveOperator, type UserState } from '#actors/user/reduce';
import { ApiError } from '#gateways/errors';
import type { ManagementDeps } from '../../deps.ts';

/**
 * Removes a user from the list of operators before the user becomes `after`, if the user then is no operator any more.
 * The list refuses to lose its last operator (CONFLICT). An unexpected revision is refused first (PRECONDITION_FAILED),
 * since the list does not know revisions.
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
