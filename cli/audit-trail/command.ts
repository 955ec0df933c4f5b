import { commandOf, text } from '../api/operation-command.ts';
import type { CommandDefinition } from '../definition.ts';

export const auditTrail: CommandDefinition = {
  name: 'audit-trail',
  heading: 'Work with it, over its management API',
  summary: 'Who changed what, as an operator',
  commands: [
    commandOf({
      name: 'list',
      summary: 'List changes, the newest first',
      method: 'get',
      path: '/api/audit-trail',
      query: [
        text('--from <instant>', 'from', 'from this instant on, ISO 8601'),
        text('--until <instant>', 'until', 'before this instant'),
        text('--actor <actor>', 'actor', 'by this user, key or command'),
        text('--resource <resource>', 'resource', 'of this resource, <kind>/<id>'),
        text('--account <id>', 'account_id', 'of this account'),
      ],
      columns: ['at', 'actor', 'action', 'resource'],
      mostByDefault: 50,
      asUser: true,
    }),
  ],
};
