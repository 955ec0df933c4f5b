import type { CompletionNode } from './completion-tree.ts';

/** Within apostrophes, which end a quotation in each of the shells. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The part of both scripts that finds which command the words before the cursor name. */
function findPath(tree: readonly CompletionNode[], words: string): string {
  const paths = tree.map(({ path }) => quoted(path)).join('|');
  return `  local path=exchange word
  for word in ${words}; do
    case "$path $word" in
      ${paths}) path="$path $word" ;;
    esac
  done
`;
}

export function bashScript(tree: readonly CompletionNode[]): string {
  const cases = tree.map(({ path, commands, options, choices }) => {
    const words = [...commands.map(({ word }) => word), ...choices, ...options.map(({ word }) => word)];
    return `    ${quoted(path)}) words=${quoted(words.join(' '))} ;;`;
  });
  return `_exchange() {
  local current=\${COMP_WORDS[COMP_CWORD]} words=
${findPath(tree, `"\${COMP_WORDS[@]:1:COMP_CWORD-1}"`)}  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _exchange exchange
`;
}

export function zshScript(tree: readonly CompletionNode[]): string {
  // A colon separates a word from its description.
  const entry = (word: string, description: string) => quoted(`${word}:${description.replaceAll(':', ' -')}`);
  const cases = tree.map(({ path, commands, options, choices }) => {
    const entries = [
      ...commands.map(({ word, description }) => entry(word, description)),
      ...choices.map((word) => quoted(word)),
      ...options.map(({ word, description }) => entry(word, description)),
    ];
    return `    ${quoted(path)}) entries=(${entries.join(' ')}) ;;`;
  });
  return `#compdef exchange
_exchange() {
  local -a entries
${findPath(tree, `"\${(@)words[2,CURRENT-1]}"`)}  case "$path" in
${cases.join('\n')}
  esac
  _describe exchange entries || _files
}
compdef _exchange exchange
`;
}

export function fishScript(tree: readonly CompletionNode[]): string {
  const lines = tree.flatMap(({ path, commands, options, choices }) => {
    const after = path.split(' ').slice(1);
    const inner = commands.map(({ word }) => word);
    const seen = after.map((word) => `__fish_seen_subcommand_from ${word}`);
    // Of a group, only what is below no inner command is its own.
    const own = inner.length > 0 ? [`not __fish_seen_subcommand_from ${inner.join(' ')}`] : [];
    const condition = quoted([...seen, ...own].join('; and ') || 'true');
    return [
      ...commands.map(
        ({ word, description }) => `complete -c exchange -f -n ${condition} -a ${word} -d ${quoted(description)}`,
      ),
      ...choices.map((word) => `complete -c exchange -f -n ${condition} -a ${word}`),
      ...options.map(
        ({ word, description, takesValue }) =>
          `complete -c exchange ${takesValue ? '-r ' : ''}-n ${condition} -l ${word.slice(2)} -d ${quoted(description)}`,
      ),
    ];
  });
  return `${lines.join('\n')}\n`;
}
