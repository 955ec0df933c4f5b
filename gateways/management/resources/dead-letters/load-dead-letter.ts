import { ApiError } from '#gateways/errors';
import type { DeadLetter } from '#runtime/ports/store';
import type { ManagementDeps } from '../../deps.ts';

export function deadLetterNotFound(): ApiError {
  return new ApiError('NOT_FOUND', 'There is no such dead letter.');
}

/** Loads a dead letter. Throws NOT_FOUND. */
export async function loadDeadLetter({ store }: Pick<ManagementDeps, 'store'>, id: string): Promise<DeadLetter> {
  const deadLetter = await store.deadLetter(id);
  if (deadLetter === null) throw deadLetterNotFound();
  return deadLetter;
}
