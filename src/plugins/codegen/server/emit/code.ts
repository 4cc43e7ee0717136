/** Fragment of TypeScript that can be broken over lines: plain text, or a node with parts. */
export type Code =
  | string
  /** An expanded object has a line for each entry even if it fits on one line. */
  | { readonly kind: 'object'; readonly entries: readonly (readonly [key: string, value: Code])[]; readonly isExpanded?: boolean }
  | { readonly kind: 'array'; readonly items: readonly Code[] }
  | { readonly kind: 'call'; readonly name: string; readonly parameters: readonly Code[] };

const lineWidth = 160;

export const call = (name: string, ...parameters: Code[]): Code => ({ kind: 'call', name, parameters });
export const array = (...items: Code[]): Code => ({ kind: 'array', items });
export const object = (entries: Readonly<Record<string, Code | undefined>>, isExpanded = false): Code => ({
  kind: 'object',
  entries: Object.entries(entries).flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const])),
  isExpanded,
});

/** Converts a value to a literal; its content cannot break out of it. */
export function literal(value: unknown): Code {
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) return array(...value.map(literal));
  if (typeof value === 'object' && value !== null)
    return object(Object.fromEntries(Object.entries(value).map(([key, one]) => [key, one === undefined ? undefined : literal(one)])));
  return typeof value === 'number' ? formatNumber(value) : String(value);
}

/** Quotes a text with single quotes, or with double quotes when that needs fewer escapes. */
export function quote(text: string): string {
  const count = (mark: string) => text.split(mark).length - 1;
  const mark = count("'") > count('"') ? '"' : "'";
  const inside = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
  // Escapes `${`, which the linter would report as a template literal in the wrong quotes.
  return mark + inside.replaceAll(mark, `\\${mark}`).replace(/\$(?=\{)/g, '\\u0024') + mark;
}

/** Formats a number; the digits of a long integer are grouped in threes, as the linter requires. */
const formatNumber = (value: number) =>
  Number.isInteger(value) && Math.abs(value) >= 10_000 ? value.toLocaleString('en').replaceAll(',', '_') : String(value);

/** Formats code as the project's formatter does, starting at `column` of a line with this indentation and leaving room for `after` characters. */
export function printCode(code: Code, indent = 0, column = indent, after = 0): string {
  const flat = flatOf(code);
  if (flat !== undefined && column + widthOf(flat) + after <= lineWidth) return flat;
  if (typeof code === 'string') return code;
  const inner = indent + 2;
  const line = (text: string) => `${' '.repeat(inner)}${text},\n`;
  const end = ' '.repeat(indent);
  if (code.kind === 'object') {
    const lines = code.entries.map(([key, value]) => line(entryOf(key, printCode(value, inner, inner + widthOf(keyOf(key)) + 2, 1))));
    return `{\n${lines.join('')}${end}}`;
  }
  if (code.kind === 'array') return `[\n${code.items.map((item) => line(printCode(item, inner, inner, 1))).join('')}${end}]`;
  const before = code.parameters.slice(0, -1).map(flatOf);
  const last = code.parameters.at(-1);
  const keepsLastInline = typeof last === 'object' && last.kind !== 'call' && before.every((one) => one !== undefined);
  if (keepsLastInline) {
    const head = `${code.name}(${before.map((one) => `${one}, `).join('')}`;
    return `${head}${printCode(last, indent, lineWidth)})`;
  }
  return `${code.name}(\n${code.parameters.map((one) => line(printCode(one, inner, inner, 1))).join('')}${end})`;
}

/** Formats code on one line; undefined when the formatter always breaks it. */
function flatOf(code: Code): string | undefined {
  if (typeof code === 'string') return code;
  if (code.kind === 'object') {
    if (code.isExpanded) return undefined;
    const entries = code.entries.map(([key, value]) => ({ key, value: flatOf(value) }));
    if (entries.some(({ value }) => value === undefined)) return undefined;
    return entries.length === 0 ? '{}' : `{ ${entries.map(({ key, value }) => entryOf(key, value as string)).join(', ')} }`;
  }
  const parts = code.kind === 'array' ? code.items : code.parameters;
  if (code.kind === 'array' && isMatrix(parts)) return undefined;
  const flat = parts.map(flatOf);
  if (flat.some((one) => one === undefined)) return undefined;
  return code.kind === 'array' ? `[${flat.join(', ')}]` : `${code.name}(${flat.join(', ')})`;
}

/** The formatter puts several lists or objects with more than one part each on separate lines. */
const isMatrix = (items: readonly Code[]) =>
  items.length > 1 && (['array', 'object'] as const).some((kind) => items.every((item) => typeof item === 'object' && item.kind === kind && partsOf(item) > 1));
const partsOf = (code: Code) =>
  typeof code === 'string' ? 0 : code.kind === 'array' ? code.items.length : code.kind === 'object' ? code.entries.length : code.parameters.length;

const keyOf = (key: string) => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : quote(key));
const entryOf = (key: string, value: string) => (key.startsWith('...') ? `...${value}` : key === value ? key : `${keyOf(key)}: ${value}`);

/** Returns the columns a text occupies; Chinese characters take two. */
const widthOf = (text: string) =>
  [...text].reduce(
    (width, one) =>
      width +
      (/[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u.test(one) && one > '\u00ff'
        ? 2
        : 1),
    0,
  );

/** Escapes a text so that it cannot end a comment. */
export const escapeComment = (text: string): string => text.replaceAll('*/', '*\u200b/').replace(/\p{Cc}/gu, ' ');

/** Writes `import { a, type B } from '…';` with the names in the formatter's order. */
export function imports(from: string, names: readonly string[]): string {
  const bare = (name: string) => name.replace(/^type /, '').replace(/^.* as /, '');
  const sorted = [...new Set(names)].sort((a, b) => compare(bare(a), bare(b)));
  const flat = `import { ${sorted.join(', ')} } from ${quote(from)};\n`;
  return flat.length <= lineWidth + 1 ? flat : `import {\n${sorted.map((name) => `  ${name},\n`).join('')}} from ${quote(from)};\n`;
}

/** Compares letter by letter regardless of case; for equal letters upper case comes first. */
function compare(a: string, b: string): number {
  for (let index = 0; index < Math.min(a.length, b.length); index += 1) {
    const [one, other] = [a.charAt(index), b.charAt(index)];
    if (one.toLowerCase() !== other.toLowerCase()) return one.toLowerCase() < other.toLowerCase() ? -1 : 1;
    if (one !== other) return one < other ? -1 : 1;
  }
  return a.length - b.length;
}
