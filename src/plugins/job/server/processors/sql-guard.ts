/** Functions that a statement may call. None of them reads files, settings or other sessions, waits, or changes anything. */
const functions = words(`
  abs avg ceil ceiling coalesce concat concat_ws count cast date_part date_trunc every extract first_value floor format greatest initcap
  json_agg json_build_array json_build_object json_object_agg jsonb_agg jsonb_array_elements jsonb_array_elements_text jsonb_array_length
  jsonb_build_array jsonb_build_object jsonb_each jsonb_each_text jsonb_extract_path_text jsonb_object_agg jsonb_object_keys jsonb_typeof
  lag last_value lead least left length lower ltrim make_date make_interval max md5 min mod now clock_timestamp nullif ntile
  percentile_cont percentile_disc position power rank dense_rank row_number regexp_replace regexp_match replace right round row rtrim
  sign split_part sqrt string_agg array_agg strpos substr substring sum to_char to_date to_number to_timestamp trim trunc unnest
  upper bool_and bool_or mode stddev variance starts_with reverse cardinality array_length array_position age generate_series char_length octet_length
`);
/** Keywords and types that may precede a parenthesis without being a function call. */
const beforeParenthesis = words(`
  in values and or not on using where when then else exists any all some over as from select by filter group within limit offset having
  distinct set conflict between like ilike returning materialized union except intersect case array join lateral is
  varchar char character numeric decimal timestamp timestamptz time interval bit
`);
const allowedCommands = words('select with values insert update delete');
const tokenPattern = /\s+|'(?:[^']|'')*'|"(?:[^"]|"")*"|[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|[-+*/<>=~!@#%^&|?:,.()[\];]/y;

const comments: ReadonlySet<string> = new Set(['--', '/*']);

/** A statement that was refused; the message names what is not allowed. */
export class SqlRefusedError extends Error {
  override readonly name = 'StatementRefusedError';
}

/**
 * Returns a statement that reads or changes rows and does nothing else; throws `StatementRefusedError` for any other. It is checked word by word against lists
 * of what is allowed, because row level security depends on settings of the session, which a statement could change through a function.
 */
export function validateStatement(text: string): string {
  const tokens = tokensOf(text);
  if (tokens.at(-1) === ';') tokens.pop();
  const parts = tokens.filter((part) => part.trim() !== '');
  if (parts.includes(';')) throw new SqlRefusedError('Only one statement is allowed.');
  const names = parts.map(nameOf);
  if (!allowedCommands.has(names[0] ?? '')) throw new SqlRefusedError(`A statement must begin with one of: ${[...allowedCommands].join(', ')}.`);
  for (const [index, name] of names.entries()) if (name !== undefined) assertAllowed(name, names, parts, index);
  return tokens.join('').trim();
}

function assertAllowed(name: string, names: readonly (string | undefined)[], parts: readonly string[], index: number): void {
  if (name.startsWith('pg_') || name === 'information_schema') throw new SqlRefusedError(`“${name}” is not allowed.`);
  if (name === 'into' && names[index - 1] !== 'insert') throw new SqlRefusedError('“select into” is not allowed.');
  if (parts[index + 1] !== '(' || functions.has(name) || beforeParenthesis.has(name)) return;
  // The parenthesis after `insert into <table>` lists columns; the table name may be qualified.
  const table = parts[index - 1] === '.' ? index - 2 : index;
  if (names[table - 1] === 'into') return;
  throw new SqlRefusedError(`The function “${name}” is not allowed.`);
}

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  tokenPattern.lastIndex = 0;
  while (tokenPattern.lastIndex < text.length) {
    const found = tokenPattern.exec(text)?.[0];
    if (found === undefined) throw new SqlRefusedError('The statement contains a character that is not allowed, or a quote that is not closed.');
    // A prefix changes the syntax of a string literal or quoted identifier: E'\…', U&"…".
    if (/^['"]/.test(found) && /[\w\u0080-\uffff&'"]$/.test(tokens.at(-1) ?? ''))
      throw new SqlRefusedError('String literals and quoted identifiers with a prefix are not allowed.');
    if (comments.has(`${tokens.at(-1)}${found}`)) throw new SqlRefusedError('Comments are not allowed.');
    tokens.push(found);
  }
  // Trailing white space is removed, so that a final semicolon is the last token.
  while (tokens.at(-1)?.trim() === '') tokens.pop();
  return tokens;
}

/** Returns the identifier or keyword of a token in lower case; undefined for other tokens. */
function nameOf(part: string): string | undefined {
  if (part.startsWith('"')) return part.slice(1, -1).replaceAll('""', '"').toLowerCase();
  return /^[A-Za-z_\u0080-\uffff]/.test(part) ? part.toLowerCase() : undefined;
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}
