/** Escapes text for an HTML attribute in double quotes. */
export function attributeText(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

/** Writes a value as a literal inside a script element: nothing in it ends the element or a line. */
export function scriptLiteral(value: unknown): string {
  return JSON.stringify(value)
    .replace(/</g, '\\u003c')
    .replace(/\u2028/g, '\\u2028')
    .replace(/\u2029/g, '\\u2029');
}

/** An invisible image of one pixel, which calls a URL. */
export function hiddenPixel(url: string): string {
  return `<img src="${attributeText(url)}" width="1" height="1" alt="" style="display:none">`;
}
