import type { DeadLetter } from '../../../../runtime/ports/store.ts';
import { ApiError } from '../../../errors.ts';
import type { ManagementParts } from '../../parts.ts';

export function noLetter(): ApiError {
  return new ApiError('NOT_FOUND', 'There is no such dead letter.');
}

/** Throws NOT_FOUND. */
export async function loadLetter({ store }: Pick<ManagementParts, 'store'>, id: string): Promise<DeadLetter> {
  const letter = await store.deadLetter(id);
  if (letter === null) throw noLetter();
  return letter;
}
