import { commands } from '../../cli/commands.ts';
import type { CommandDefinition, OptionDefinition } from '../../cli/definition.ts';
import { PROGRAM, PROGRAM_EXAMPLES } from '../../cli/program-help.ts';
import { optionsOf } from '../../cli/shared-options.ts';
import { table } from './table.ts';

const INTRODUCTION = `# The command line

<!-- Made of the definitions in cli/ by \`npm run reference\`: change the definition, not this page. -->

\`exchange\` starts an exchange, looks after it, and works with it over its management API. In a clone it is \`npx exchange\`, or
\`bin/exchange\`; \`export PATH="$PWD/bin:$PATH"\` makes it \`exchange\` for a shell, and \`npm link\` for all. The image has it as
\`exchange\`: \`docker exec <container> exchange doctor\`. A clone that was not built is built first.

- **Which exchange**: \`--url\`, or \`EXCHANGE_URL\`, or else one on this machine, at \`PORT\`.
- **As whom**: an API key from \`EXCHANGE_API_KEY\` (or \`--key\`, which others on the machine can see in the list of processes). Keys and
  users are the business of users, not of keys: \`EXCHANGE_EMAIL\` and \`EXCHANGE_PASSWORD\`, with \`EXCHANGE_CODE\` where there is a second
  factor; the session ends with the command. Without any, those of the first start of an exchange on this machine are taken as long as nobody
  has seen them (\`DATA_DIR/first-credentials.json\`).
- **For programs**: with \`--json\` a command prints one line of JSON on standard output and nothing else; an error is one line of JSON on
  standard error, \`{"error":{"code","message"}}\`. Documents are those of the API. \`--field id\` prints a single value.
- **Exit codes**: 0 done. 1 what was asked for is not so: the exchange refused, a check failed, the books do not balance. 2 it was called
  wrongly, or did nothing. 3 the exchange does not answer. 141 nobody reads its output any more, as in \`exchange … | head -1\`: it ends, without a word.
- **Colours** are for terminals, and not where \`NO_COLOR\` is set.
- **Completion**: \`source <(exchange completion bash)\`, or zsh; \`exchange completion fish | source\`.

Commands that read settings take those of the environment, as the exchange does ([settings.md](settings.md)), and of a file: \`--settings .env\`.
Those that call the API read \`EXCHANGE_URL\`, \`EXCHANGE_API_KEY\` and the other variables above from it in the same way; what the environment has counts first.
The \`npm run\` scripts of the same names (\`npm run audit\`) build what is not current, and are the same commands.`;

/** docs/command-line.md. */
export function commandLinePage(): string {
  const headings = [...new Set(commands.map(({ heading }) => heading))];
  const examples = table(
    ['to paste', 'what it does'],
    PROGRAM_EXAMPLES.map(({ command, does }) => [`\`${command}\``, does]),
  );
  const parts = headings.flatMap((heading) => {
    const own = commands.filter((definition) => definition.heading === heading);
    return [`## ${heading}`, ...own.flatMap((definition) => sectionsOf(definition, PROGRAM, 3))];
  });
  return `${[INTRODUCTION, examples, ...parts].join('\n\n')}\n`;
}

function sectionsOf(definition: CommandDefinition, above: string, level: number): string[] {
  const { name, summary, description, examples = [], exitCodes, commands: inner = [], isDefault } = definition;
  const path = `${above} ${name}`;
  const sections = [`${'#'.repeat(level)} ${path}`, sentence(description ?? summary)];
  const parameters = parametersOf(definition);
  if (parameters.length > 0) sections.push(table(['argument or option', 'meaning'], parameters));
  if (examples.length > 0) {
    sections.push(
      table(
        ['example', 'what it does'],
        examples.map(({ command, does }) => [`\`${command}\``, does]),
      ),
    );
  }
  if (exitCodes !== undefined) sections.push(`Exit codes: ${exitCodes}`);
  if (isDefault) sections.push(`\`${above}\` alone is the same.`);
  return [...sections, ...inner.flatMap((one) => sectionsOf(one, path, level + 1))];
}

/** Those that a command has for itself: what all have stands at the top of the page. */
function parametersOf(definition: CommandDefinition): string[][] {
  const shared = new Set(optionsOf({ ...definition, options: [] }).map(({ flags }) => flags));
  const own = optionsOf(definition).filter(({ flags }) => !shared.has(flags));
  const list = (definition.arguments ?? []).map(({ name, description, choices }) => [
    `\`${name}\``,
    withChoices(description, choices),
  ]);
  return [...list, ...own.map(rowOf)];
}

function rowOf({ flags, description, choices, fallback, needed }: OptionDefinition): string[] {
  const more = [...(fallback === undefined ? [] : [`default ${fallback}`]), ...(needed ? ['needed'] : [])];
  const meaning = withChoices(description, choices);
  return [`\`${flags}\``, more.length === 0 ? meaning : `${meaning} (${more.join(', ')})`];
}

function withChoices(description: string, choices: readonly string[] | undefined): string {
  return choices === undefined ? description : `${description}: ${choices.map((word) => `\`${word}\``).join(', ')}`;
}

function sentence(text: string): string {
  return text.endsWith('.') ? text : `${text}.`;
}
