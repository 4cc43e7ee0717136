// biome-ignore lint/suspicious/noControlCharactersInRegex: XML cannot hold them
const special = /[&<>\u0000-\u0008\u000b-\u001f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)/g;
const named: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** A text as the content of an XML element. Characters that XML cannot hold are written as `_xHHHH_`, as Excel does; a line ends with LF alone. */
export function escapeText(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(special, (char) => named[char] ?? `_x${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`);
}

/** A text of a cell whose `_xHHHH_` are characters again; XML's own entities are read by the parser. */
export function unescapeText(text: string): string {
  return text.includes('_x') ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))) : text;
}
