import { ApiError } from '../../errors.ts';
import type { Caller } from '../identity/caller.ts';

/**
 * Whether a new source is a sandbox source. In the sandbox context every new source is; to ask for a live one there is
 * FORBIDDEN for a sandbox key, and a contradiction in the request of any other caller.
 */
export function sandboxForNewSource(caller: Caller, requested: boolean | undefined): boolean {
  if (!caller.sandbox) return requested ?? false;
  if (requested === false) {
    if (caller.sandboxKey) throw new ApiError('FORBIDDEN', 'A sandbox key makes nothing live.');
    throw new ApiError('VALIDATION_ERROR', 'In the sandbox context sandbox cannot be false.', 'sandbox');
  }
  return true;
}

/** Asserts that the caller may take a source out of the sandbox, which makes it live: a sandbox key may not. */
export function assertMayLeaveSandbox(caller: Caller, requested: boolean | undefined): void {
  if (caller.sandboxKey && requested === false) throw new ApiError('FORBIDDEN', 'A sandbox key makes nothing live.');
}
