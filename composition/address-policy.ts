import type { AddressPolicy } from '../gateways/http/guarded-connect.ts';
import { OwnEndpoints } from '../gateways/http/own-endpoints.ts';
import { redisNodes, replicaSetMembers } from '../settings/forms.ts';
import type { Settings } from '../settings.ts';

const REDIS_PORT = 6379;
const MONGODB_PORT = 27_017;

/** The policy for URLs that accounts set: the ports and stores of this exchange are never allowed. */
export function addressPolicy(settings: Settings): Required<AddressPolicy> {
  return { allowPrivateNetworks: settings.allowPrivateNetworks, ownEndpoints: ownEndpointsOf(settings) };
}

/** A port setting of 0 takes any free port, which is not known here; only tests use it. */
function ownEndpointsOf({
  port,
  edgePort,
  opsPort,
  redisUrl,
  edgeRedisUrl,
  factsRedisUrl,
  mongodbUrl,
}: Pick<
  Settings,
  'port' | 'edgePort' | 'opsPort' | 'redisUrl' | 'edgeRedisUrl' | 'factsRedisUrl' | 'mongodbUrl'
>): OwnEndpoints {
  const own = new OwnEndpoints();
  // The ports of other roles are included: their processes usually run on the same machine.
  for (const one of [port, edgePort, opsPort]) if (one !== 0) own.listensOn(one);
  for (const node of [redisUrl, edgeRedisUrl, factsRedisUrl].flatMap((url) => (url === null ? [] : redisNodes(url)))) {
    const url = new URL(node);
    own.uses(url.hostname, Number(url.port || REDIS_PORT));
  }
  for (const member of mongodbUrl === null ? [] : replicaSetMembers(mongodbUrl)) {
    const url = new URL(member);
    own.uses(url.hostname, Number(url.port || MONGODB_PORT));
  }
  return own;
}
