import type { AnyRoute } from './route.ts';

const SAME_AS_PUT =
  'The same as PUT, which changes the fields given and no others: `application/json` or `application/merge-patch+json` (RFC 7396), in which null takes away what may be null.';

/** Adds a PATCH to each partial PUT, since clients expect a change of some fields under that method (RFC 5789). */
export function withPatches(routes: readonly AnyRoute[]): AnyRoute[] {
  return routes.flatMap((route) => (route.partial ? [route, patchOf(route)] : [route]));
}

function patchOf(put: AnyRoute): AnyRoute {
  const { description } = put;
  // The operation id of every partial PUT begins with `update` (`updateSupplySource`).
  return {
    ...put,
    method: 'PATCH',
    operationId: `patch${put.operationId.slice('update'.length)}`,
    description: description === undefined ? SAME_AS_PUT : `${SAME_AS_PUT} ${description}`,
  };
}
