import type { EdgeUnderTest } from '#test/support/edge';

/** Puts what a publisher has stored, as edges hold it. */
export function putStored(
  edge: EdgeUnderTest,
  sourceId: string,
  stored: { readonly requests?: Record<string, object>; readonly imps?: Record<string, object> },
): void {
  edge.replica.put('stored-requests', { id: sourceId, requests: {}, imps: {}, ...stored });
}
