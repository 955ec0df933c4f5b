import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

/** Whether standard output shows colours: a terminal, unless NO_COLOR is set (https://no-color.org). */
const showsColours = process.stdout.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== 'dumb';

/** The text in a style where standard output shows colours, otherwise as it is. */
export function styled(style: Style, text: string): string {
  return showsColours ? styleText(style, text) : text;
}
