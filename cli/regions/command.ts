import type { CommandDefinition } from '../definition.ts';

const failure = 'Nothing was changed';

export const regions: CommandDefinition = {
  name: 'regions',
  heading: 'Look after what it keeps',
  summary: 'The regions with logs of their own: how far each is at home, and giving one up',
  description:
    'The regions with logs of their own (docs/subsystems/regions.md), by the names that the log at home has of them. Reads REDIS_URL and REDIS_PREFIX as the exchange does.',
  commands: [
    {
      name: 'list',
      isDefault: true,
      summary: 'How far each is at home, and what came too late of it',
      exitCodes: '0 done, 1 there is none, 2 it could not be read.',
      failure,
      readsSettings: true,
      load: () => import('./run.ts').then(({ list: run }) => ({ run })),
    },
    {
      name: 'write-off',
      summary: 'Give up what a lost log of a region has not brought home; for ever',
      description:
        'Gives up what a lost log of a region has not brought home, for ever. Budgets wait for it no more; what comes of it after all is not billed and is parked as too late. Refused while the log is alive: while the log at home heard of it within a minute, or hears of it while this looks, for three seconds. Edges whose log is written off sell nothing.',
      arguments: [{ name: '<region#log>', description: 'its name, as regions list shows it' }],
      options: [
        { flags: '--why <reason>', description: 'why it is given up, for whoever looks later', needed: true },
        {
          flags: '--force',
          description: 'also while it is alive: what its edges take until they hear of it is not billed',
        },
      ],
      exitCodes: '0 done, 1 there is no such log or it is alive, 2 nothing was done, or not all: run it again.',
      failure: 'It is not written off, or not everywhere',
      readsSettings: true,
      load: () => import('./run.ts').then(({ writeOff: run }) => ({ run })),
    },
  ],
};
