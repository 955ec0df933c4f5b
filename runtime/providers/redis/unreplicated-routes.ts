import type { RedisCommands } from './client.ts';
import type { Requests } from './requests.ts';
import type { Route, Routes } from './routes.ts';

/** All commands to one client, and nothing waited for but its answers. */
export function unreplicatedRoutes(commands: RedisCommands, requests: Requests): Routes {
  const run: Route['run'] = (send) => requests.run(() => send(commands));
  const route: Route = { run, covered: run };
  return { of: () => route, refusal: undefined };
}
