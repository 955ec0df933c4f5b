import calculateSlot from 'cluster-key-slot';
import type { Cluster, Redis } from 'ioredis';
import { LogUnavailable } from '#runtime/ports/errors';
import { commandsOf } from '../client.ts';
import type { CommandRunner } from '../command-runner.ts';
import { oneWritePerTurn } from '../one-write-per-turn.ts';
import type { Route, Routes } from '../routes.ts';
import { type LinkDeps, refuse, ServerLink } from './server-link.ts';

/** The routes of a replicated log and the links behind them. */
export interface ReplicatedRoutes extends Routes {
  /** One link for each primary that is known now. */
  links(): ServerLink[];
}

/** Routes to the primary of one group, whichever server that is. */
export function serverRoutes(client: Redis, deps: LinkDeps, requests: CommandRunner): ReplicatedRoutes {
  const link = new ServerLink(client, deps, oneWritePerTurn(client));
  const route = routeOver(link, requests);
  return {
    of: () => route,
    links: () => [link],
    get refusal() {
      return link.refusal;
    },
  };
}

/**
 * Routes to the primaries of a Redis Cluster. Commands go straight to the client of the slot's node, so that
 * acknowledgements are requested on the same connection. A command for a slot that has moved fails like one that did
 * not reach its server, and the slots are learnt again.
 */
export function clusterRoutes(cluster: Cluster, deps: LinkDeps, requests: CommandRunner): ReplicatedRoutes {
  const links = new Map<string, { readonly link: ServerLink; readonly route: Route }>();
  const learn = () => {
    const nodes = new Map(cluster.nodes('master').map((node) => [`${node.options.host}:${node.options.port}`, node]));
    for (const [name, { link }] of links) if (nodes.get(name) !== link.client) links.delete(name);
    for (const [name, node] of nodes) {
      // The cluster's client connects to a node at its first command.
      if (node.status === 'wait') node.connect().catch(() => {});
      if (links.has(name)) continue;
      const link = new ServerLink(node, deps, oneWritePerTurn(node));
      links.set(name, { link, route: routeOver(link, requests) });
    }
  };
  cluster.on('+node', learn);
  cluster.on('-node', learn);
  learn();
  const nowhere: Route['run'] = () => refuse(new LogUnavailable('no node of the Redis Cluster has the slot'));
  return {
    of(key) {
      const name = cluster.slots[calculateSlot(key)]?.[0];
      if (name === undefined) return { run: nowhere, runReplicated: nowhere };
      // A replica that has become a primary is the same node as before.
      if (!links.has(name)) learn();
      return links.get(name)?.route ?? { run: nowhere, runReplicated: nowhere };
    },
    links() {
      learn();
      return [...links.values()].map(({ link }) => link);
    },
    get refusal() {
      for (const { link } of links.values()) if (link.refusal !== undefined) return link.refusal;
      return links.size === 0 ? 'no node of the Redis Cluster is known' : undefined;
    },
  };
}

function routeOver(link: ServerLink, requests: CommandRunner): Route {
  const commands = commandsOf(link.client);
  return {
    run: (send) => requests.run(() => link.send(() => send(commands))),
    runReplicated: (send) => requests.run(() => link.sendReplicated(() => send(commands))),
  };
}
