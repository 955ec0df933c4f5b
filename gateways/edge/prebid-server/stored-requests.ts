import type { StoredRequestsProjection } from '#actors/stored-requests/reduce';
import { storedRequests } from '#actors/stored-requests/stored-requests';
import { MAX_IMPS } from '#exchange/openrtb/bid-request';
import { deepCopy } from '#exchange/openrtb/deep-copy';
import { isObject, type JsonObject } from '#exchange/openrtb/shape';
import type { Replica } from '#runtime/actor/replica';
import { ApiError } from '../../errors.ts';
import { mergePatch } from '../../http/merge-patch.ts';
import type { MergedExtent } from './merged-extent.ts';

/** A document with what was stored for it, and the supply source that stored it, if any did. */
export interface Completed {
  readonly document: JsonObject;
  readonly sourceId: string | null;
}

/**
 * The requests and imps that publishers have stored, as this edge's replica has them. A request refers to one by its
 * name, beside the id of its supply source (`publisher.id`), or by `<supply source>/<name>`. The id of a supply source
 * alone names a stored request of no content: SDKs send their account's id where no other request is named.
 */
export class StoredRequests {
  readonly #replica: Replica;

  constructor(replica: Replica) {
    this.#replica = replica;
  }

  /**
   * The request over the stored one that it names, and each imp over its stored one (RFC 7396). The caller may change
   * the result. `sourceId`: the supply source that the caller names otherwise. `extent` already counts the request
   * itself. Throws INVALID_PARAMS for a name under which nothing is stored, and VALIDATION_ERROR for more imps than a
   * bid request may have, or where more is stored for it than the extent allows.
   */
  complete(document: JsonObject, sourceId: string | null, extent: MergedExtent): Completed {
    let owner = sourceId;
    let whole = document;
    const name = storedName(document);
    if (name !== null && !this.#isSource(name)) {
      const stored = this.#find('requests', name, owner, 'ext.prebid.storedrequest.id');
      owner = stored.sourceId;
      extent.add(stored.document);
      whole = mergePatch(deepCopy(stored.document), document) as JsonObject;
    } else if (name !== null) owner ??= name;
    if (!Array.isArray(whole.imp)) return { document: whole, sourceId: owner };
    if (whole.imp.length > MAX_IMPS)
      throw new ApiError('VALIDATION_ERROR', `request.imp must hold at most ${MAX_IMPS} elements.`, 'imp');
    let isChanged = false;
    const imp = whole.imp.map((each: unknown, index) => {
      const impName = isObject(each) ? storedName(each) : null;
      if (impName === null) return each;
      const stored = this.#find('imps', impName, owner, `imp[${index}].ext.prebid.storedrequest.id`);
      owner ??= stored.sourceId;
      isChanged = true;
      extent.add(stored.document);
      // A copy: floors are converted in place, and what is stored is the same for all requests.
      return mergePatch(deepCopy(stored.document), each);
    });
    return { document: isChanged ? { ...whole, imp } : whole, sourceId: owner };
  }

  #find(
    kind: keyof StoredRequestsProjection,
    reference: string,
    owner: string | null,
    path: string,
  ): { readonly document: object; readonly sourceId: string } {
    const slash = reference.indexOf('/');
    const sourceId = slash === -1 ? owner : reference.slice(0, slash);
    if (sourceId === null) {
      const where = 'give site.publisher.id or app.publisher.id, or write <supply source>/<name>';
      throw new ApiError('INVALID_PARAMS', `${path} names nothing without its supply source: ${where}.`, path);
    }
    const stored = this.#replica.get<StoredRequestsProjection>(storedRequests.kind, sourceId)?.[kind];
    const name = reference.slice(slash + 1);
    if (stored !== undefined && Object.hasOwn(stored, name)) return { document: stored[name]!, sourceId };
    throw new ApiError('INVALID_PARAMS', `${path}: no such stored ${kind === 'imps' ? 'imp' : 'request'}.`, path);
  }

  #isSource(id: string): boolean {
    return this.#replica.get('publisher', id) !== undefined;
  }
}

/** `ext.prebid.storedrequest.id`; null where the document names none. */
function storedName({ ext }: JsonObject): string | null {
  const prebid = isObject(ext) ? ext.prebid : undefined;
  const stored = isObject(prebid) ? prebid.storedrequest : undefined;
  const id = isObject(stored) ? stored.id : undefined;
  return typeof id === 'string' && id !== '' ? id : null;
}
