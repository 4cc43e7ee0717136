/** Functions that a statement may call: none reads files, settings or other sessions, waits, or changes anything. */
const functions = words(`
  abs avg ceil ceiling coalesce concat concat_ws count cast date_part date_trunc every extract first_value floor format greatest initcap
  json_agg json_build_array json_build_object json_object_agg jsonb_agg jsonb_array_elements jsonb_array_elements_text jsonb_array_length
  jsonb_build_array jsonb_build_object jsonb_each jsonb_each_text jsonb_extract_path_text jsonb_object_agg jsonb_object_keys jsonb_typeof
  lag last_value lead least left length lower ltrim make_date make_interval max md5 min mod now clock_timestamp nullif ntile
  percentile_cont percentile_disc position power rank dense_rank row_number regexp_replace regexp_match replace right round row rtrim
  sign split_part sqrt string_agg array_agg strpos substr substring sum to_char to_date to_number to_timestamp trim trunc unnest
  upper bool_and bool_or mode stddev variance starts_with reverse cardinality array_length array_position age generate_series char_length octet_length
`);
/** Words that a parenthesis may follow without a call: keywords, and types with a length. */
const beforeParenthesis = words(`
  in values and or not on using where when then else exists any all some over as from select by filter group within limit offset having
  distinct set conflict between like ilike returning materialized union except intersect case array join lateral is
  varchar char character numeric decimal timestamp timestamptz time interval bit
`);
const heads = words('select with values insert update delete');
const token = /\s+|'(?:[^']|'')*'|"(?:[^"]|"")*"|[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|[-+*/<>=~!@#%^&|?:,.()[\];]/y;

const comments: ReadonlySet<string> = new Set(['--', '/*']);

/** A statement that was refused; the message names what is not allowed. */
export class StatementRefused extends Error {
  override readonly name = 'StatementRefused';
}

/**
 * Returns a statement that reads or changes rows and does nothing else; throws `StatementRefused` for any other. It is checked word by word against lists of what is allowed, because
 * row level security depends on settings of the session, which a statement could change through a function.
 */
export function checkedStatement(text: string): string {
  const tokens = tokensOf(text);
  if (tokens.at(-1) === ';') tokens.pop();
  const parts = tokens.filter((part) => part.trim() !== '');
  if (parts.includes(';')) throw new StatementRefused('Only one statement is allowed.');
  const names = parts.map(nameOf);
  if (!heads.has(names[0] ?? '')) throw new StatementRefused(`A statement must begin with one of: ${[...heads].join(', ')}.`);
  for (const [index, name] of names.entries()) if (name !== undefined) assertAllowed(name, names, parts, index);
  return tokens.join('').trim();
}

function assertAllowed(name: string, names: readonly (string | undefined)[], parts: readonly string[], index: number): void {
  if (name.startsWith('pg_') || name === 'information_schema') throw new StatementRefused(`“${name}” is not allowed.`);
  if (name === 'into' && names[index - 1] !== 'insert') throw new StatementRefused('“select into” is not allowed.');
  if (parts[index + 1] !== '(' || functions.has(name) || beforeParenthesis.has(name)) return;
  // Columns after the table of an insert, which may be qualified.
  const table = parts[index - 1] === '.' ? index - 2 : index;
  if (names[table - 1] === 'into') return;
  throw new StatementRefused(`The function “${name}” is not allowed.`);
}

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < text.length) {
    const found = token.exec(text)?.[0];
    if (found === undefined) throw new StatementRefused('The statement contains a character or a quotation that is not allowed.');
    // Prefixes give a quotation another meaning: E'\…', U&"…".
    if (/^['"]/.test(found) && /[\w\u0080-\uffff&'"]$/.test(tokens.at(-1) ?? '')) throw new StatementRefused('Quotations with a prefix are not allowed.');
    if (comments.has(`${tokens.at(-1)}${found}`)) throw new StatementRefused('Comments are not allowed.');
    tokens.push(found);
  }
  // A trailing blank after the last semicolon is no statement.
  while (tokens.at(-1)?.trim() === '') tokens.pop();
  return tokens;
}

/** Returns the name that a token is, in lower case; undefined for other tokens. */
function nameOf(part: string): string | undefined {
  if (part.startsWith('"')) return part.slice(1, -1).replaceAll('""', '"').toLowerCase();
  return /^[A-Za-z_\u0080-\uffff]/.test(part) ? part.toLowerCase() : undefined;
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}
