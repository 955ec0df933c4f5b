import type { Setting } from '../../settings/declaration.ts';
import { SETTINGS_GROUPS } from '../../settings/declared-settings.ts';
import { table } from './table.ts';

const INTRODUCTION = `# Settings

<!-- Made of settings/declared-settings.ts by \`npm run reference\`: change the declaration, not this page. -->

Settings are environment variables. A first try needs none. A wrong setting stops the start, and all wrong settings are named at
once. A blank setting counts as unset.

\`.env.example\` lists all of them with their defaults. Copy it to \`.env\`, change what you need, look with
\`exchange doctor --settings .env\` whether all is well, and start with \`exchange start --settings .env\`
([command-line.md](command-line.md)) or \`node --env-file=.env dist/bundle/main.js\`. Docker Compose reads \`.env\` by itself.`;

const SECRETS = `## Secrets in files

A setting marked _secret_ may be read from a file instead: \`SECRET_KEY_FILE=/run/secrets/secret_key\` in place of
\`SECRET_KEY\`. White space around the file's content is ignored. Setting both forms stops the start.
[leaked-key.md](leaked-key.md) says how to change \`SECRET_KEY\`.`;

/** docs/settings.md. */
export function settingsPage(): string {
  const groups = SETTINGS_GROUPS.map(
    ({ title, settings }) =>
      `## ${title}\n\n${table(['name', 'default', 'range', 'meaning'], Object.values(settings).map(rowOf))}`,
  );
  return `${[INTRODUCTION, ...groups, SECRETS].join('\n\n')}\n`;
}

function rowOf(setting: Setting): string[] {
  const { name, range, choices, secret } = setting;
  const bounds =
    range === undefined ? '' : `${range[0].toLocaleString('en-US')} to ${range[1].toLocaleString('en-US')}`;
  const allowed = choices === undefined ? bounds : choices.map((word) => `\`${word}\``).join(', ');
  return [`\`${name}\``, defaultOf(setting), secret === true ? '_secret_' : allowed, setting.meaning];
}

function defaultOf({ fallback }: Setting): string {
  return 'value' in fallback ? `\`${fallback.value}\`` : fallback.words;
}
