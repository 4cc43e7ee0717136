// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression escapes characters that XML cannot contain
const special = /[&<>\u0000-\u0008\u000b-\u001f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)/g;
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Escapes a text for an XML element. Characters that XML cannot contain are written as `_xHHHH_`, as in Excel; lines end with LF. */
export function escapeText(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(special, (char) => entities[char] ?? `_x${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`);
}

/** Decodes `_xHHHH_` in the text of a cell; the parser decodes XML entities. */
export function unescapeText(text: string): string {
  return text.includes('_x') ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))) : text;
}
