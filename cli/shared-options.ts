import type { CommandDefinition, OptionDefinition } from './definition.ts';

const SETTINGS_FILE: OptionDefinition = {
  flags: '--settings <file>',
  description: 'settings from a file (.env); those of the environment count first',
};

const JSON_FORM: OptionDefinition = {
  flags: '--json',
  description: 'one line of JSON for programs, and nothing else on standard output',
};

const CALLER: readonly OptionDefinition[] = [
  { flags: '--url <url>', description: 'the management API; EXCHANGE_URL, otherwise http://localhost:PORT' },
  {
    flags: '--key <key>',
    description:
      'an API key; EXCHANGE_API_KEY, which others on the machine cannot read, otherwise of the first start of a local exchange',
  },
  { flags: '--sandbox', description: 'in the sandbox, and of the keys of a first start with that of the sandbox' },
];

/** All options of a command, the shared ones last. */
export function optionsOf({ options = [], readsSettings, callsApi, load }: CommandDefinition): OptionDefinition[] {
  if (load === undefined) return [];
  return [...options, ...(callsApi ? CALLER : []), ...(readsSettings || callsApi ? [SETTINGS_FILE] : []), JSON_FORM];
}
