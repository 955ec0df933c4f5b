import { commandOf, PERIOD, text } from '../api/operation-command.ts';
import type { CommandDefinition } from '../definition.ts';

const id = { name: 'id', description: 'the id of the campaign' };
const PATH = '/api/campaigns';

export const campaigns: CommandDefinition = {
  name: 'campaigns',
  heading: 'Work with it, over its management API',
  summary: 'Campaigns of delegates: list, read, make, change, pause and go on, and what they deliver',
  commands: [
    commandOf({
      name: 'list',
      summary: 'List the campaigns of the account',
      method: 'get',
      path: PATH,
      query: [
        text('--search <text>', 'q', 'those whose name or id contains it'),
        text('--demand <id>', 'dsp_id', 'of this demand source'),
        text('--status <status>', 'status', 'of this status'),
      ],
      columns: ['id', 'campaign_name', 'status', 'priority', 'dsp_id'],
    }),
    commandOf({ name: 'get', summary: 'Read a campaign', method: 'get', path: `${PATH}/{id}`, parameters: [id] }),
    commandOf({
      name: 'create',
      summary: 'Make a campaign',
      method: 'post',
      path: PATH,
      body: [
        text('--demand <id>', 'dsp_id', 'the delegate that bids for it'),
        text('--name <name>', 'campaign_name', 'what it is called'),
      ],
      examples: [{ command: 'exchange campaigns create --demand <id> --data @campaign.json', does: 'of a file' }],
    }),
    commandOf({
      name: 'update',
      summary: 'Change some fields of a campaign',
      method: 'patch',
      path: `${PATH}/{id}`,
      parameters: [id],
      body: [text('--name <name>', 'campaign_name', 'what it is called')],
    }),
    commandOf({
      name: 'pause',
      summary: 'Let a campaign bid no more for now',
      method: 'post',
      path: `${PATH}/{id}/pause`,
      parameters: [id],
    }),
    commandOf({
      name: 'reactivate',
      summary: 'Let a paused campaign bid again',
      method: 'post',
      path: `${PATH}/{id}/reactivate`,
      parameters: [id],
    }),
    commandOf({
      name: 'performance',
      summary: 'What a campaign has delivered and spent',
      method: 'get',
      path: `${PATH}/{id}/performance`,
      parameters: [id],
      query: [PERIOD],
    }),
  ],
};
