import type { CommandDefinition } from '../definition.ts';
import { PROGRAM } from '../program-help.ts';
import { optionsOf } from '../shared-options.ts';

interface Completion {
  readonly word: string;
  readonly description: string;
}

/** What may follow a command. */
export interface CompletionNode {
  /** The names of commands up to here: `exchange publishers list`. */
  readonly path: string;
  readonly commands: readonly Completion[];
  readonly options: readonly (Completion & { readonly takesValue: boolean })[];
  /** The words that its arguments may be, where they are known. */
  readonly choices: readonly string[];
}

/** Every command and group, the program itself first. */
export function completionTree(commands: readonly CommandDefinition[]): CompletionNode[] {
  return nodesOf({ name: PROGRAM, summary: '', commands }, '');
}

function nodesOf(definition: CommandDefinition, above: string): CompletionNode[] {
  const path = `${above}${definition.name}`;
  const inner = definition.commands ?? [];
  const options = optionsOf(definition).map(({ flags, description }) => ({
    word: /--[\w-]+/.exec(flags)![0],
    description: firstPart(description),
    takesValue: flags.includes('<'),
  }));
  const help = { word: '--help', description: 'how it is called', takesValue: false };
  const node = {
    path,
    commands: inner.map(({ name, summary }) => ({ word: name, description: summary })),
    options: [...options, help],
    choices: (definition.arguments ?? []).flatMap(({ choices = [] }) => choices),
  };
  return [node, ...inner.flatMap((one) => nodesOf(one, `${path} `))];
}

function firstPart(text: string): string {
  return text.split(/[;:]/, 1)[0]!;
}
