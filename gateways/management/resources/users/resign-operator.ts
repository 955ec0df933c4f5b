import { operatorsId } from '#actors/operators/messages';
import { operators } from '#actors/operators/operators';
import { isActiveOperator, operatorTermOf, type UserState } from '#actors/user/reduce';
import { pause, systemTimer } from '#async/pause';
import { ApiError } from '#gateways/errors';
import type { ManagementDeps } from '../../deps.ts';

/** The delay between attempts in ms: operators who have announced to leave answer within a moment whether they stay. */
const RETRY_AFTER_MS = 50;
const MOST_ATTEMPTS = 20;

/**
 * Announces to the list of operators that a user leaves it before the user becomes `after`, if the user then is no
 * operator any more. Resolves with what the change must state of that. If the change is refused or never made, nothing
 * has to be taken back: the list asks the user when it matters.
 *
 * The list refuses to lose its last operator (CONFLICT). An unexpected revision is refused first (PRECONDITION_FAILED),
 * since the list does not know revisions.
 */
export async function resignOperator(
  { messenger }: Pick<ManagementDeps, 'messenger'>,
  userId: string,
  before: UserState,
  after: Pick<UserState, 'role' | 'status'>,
  expecting: readonly number[] | undefined,
): Promise<{ readonly leavingInTerm?: number }> {
  if (!isActiveOperator(before) || isActiveOperator(after)) return {};
  if (expecting !== undefined && !expecting.includes(before.revision)) throw new ApiError('PRECONDITION_FAILED');
  const term = operatorTermOf(before);
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
    if ((await messenger.ask(operators, operatorsId, 'leave', { userId, term })) === null) {
      return { leavingInTerm: term };
    }
    await pause(systemTimer, RETRY_AFTER_MS);
  }
  throw new ApiError('CONFLICT', 'The other operators are leaving, too; ask again.');
}
