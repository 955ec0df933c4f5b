import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

/** Whether standard output shows colours: a terminal, unless NO_COLOR is set (https://no-color.org). */
const showsColours = process.stdout.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== 'dumb';

/** The text in a style where standard output shows colours, otherwise as it is. */
export function styled(style: Style, text: string): string {
  return showsColours ? styleText(style, text) : text;
}

/** Characters that would move the cursor or change the terminal; what others named may hold some. */
const CONTROL = /\p{Cc}/gu;
const CONTROL_WITHIN_LINES = /(?!\t|\r?\n)\p{Cc}/gu;

/** Text in one line, without what would change the terminal. */
export function inOneLine(text: string): string {
  return text.replace(CONTROL, ' ');
}

/** Text of several lines, without what else would change the terminal. */
export function inLines(text: string): string {
  return text.replace(CONTROL_WITHIN_LINES, ' ');
}

/** A template whose values stay in its line. */
export function oneLine(texts: TemplateStringsArray, ...values: readonly unknown[]): string {
  return inOneLine(String.raw({ raw: texts }, ...values));
}
