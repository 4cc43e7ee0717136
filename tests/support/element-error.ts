const maxLength = 3000;

/**
 * Shortens the report of a missing element: its first line, the calls that the test has no answer for, and the names of the elements by role or else the text of
 * the page, in place of the markup.
 */
export function elementError(message: string | null, { textContent }: Pick<Element, 'textContent'>, unscripted: readonly string[] = []): Error {
  const [first = '', ...lines] = (message ?? '').split('\n');
  // A query that waits wraps the error of its last attempt, which is shortened already.
  const isShortened = lines.some((line) => /^ {2}[a-z]+: /.test(line));
  const names = namesByRole(lines);
  const summary = names.size > 0 ? [...names].map(([role, named]) => `  ${role}: ${named.join(' · ')}`) : [`  text: ${textContent ?? ''}`];
  const calls = unscripted.length > 0 ? [`  calls without an answer: ${unscripted.join(' · ')}`] : [];
  const error = new Error([first, ...(isShortened ? lines : [...calls, ...summary])].join('\n').slice(0, maxLength));
  error.name = 'TestingLibraryElementError';
  return error;
}

/** Reads the accessible names of each role from a report, those of nested roles under their own. */
function namesByRole(lines: readonly string[]): Map<string, string[]> {
  const names = new Map<string, string[]>();
  let role = '';
  for (const line of lines) {
    role = /^ {2}([a-z]+):$/.exec(line)?.[1] ?? role;
    const name = /^ {2}Name "(.+)":$/.exec(line)?.[1];
    if (name !== undefined) names.set(role, [...(names.get(role) ?? []), name]);
  }
  return names;
}
