import { ApiError } from '../../errors.ts';
import type { Caller } from '../identity/caller.ts';

/**
 * Whether a new source is a sandbox source. In the sandbox context all are; asking for a live one there is FORBIDDEN to
 * a sandbox key, and a contradiction in terms for others.
 */
export function sandboxForNewSource(caller: Caller, wanted: boolean | undefined): boolean {
  if (!caller.sandbox) return wanted ?? false;
  if (wanted === false) {
    if (caller.sandboxKey) throw new ApiError('FORBIDDEN', 'A sandbox key makes nothing live.');
    throw new ApiError('VALIDATION_ERROR', 'In the sandbox context sandbox cannot be false.', 'sandbox');
  }
  return true;
}

/** Leaving the sandbox makes a source live, which no sandbox key may. */
export function assertMayLeaveSandbox(caller: Caller, wanted: boolean | undefined): void {
  if (caller.sandboxKey && wanted === false) throw new ApiError('FORBIDDEN', 'A sandbox key makes nothing live.');
}
