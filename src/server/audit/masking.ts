const secret = /password|passwd|secret|token|credential|access_?key|private_?key|captcha/i;
const struck = '***';
const deepest = 8;

/** A copy in which whatever is named like a secret is struck out, at whatever depth. */
export function masked(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return value;
  if (depth >= deepest) return '…';
  if (Array.isArray(value)) return value.map((item) => masked(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, secret.test(name) && item !== null && item !== '' ? struck : masked(item, depth + 1)]),
  );
}

const longest = 4000;

/** Parameters as the log keeps them: JSON without secrets, cut where it would be long. */
export function maskedText(parameters: unknown): string {
  const text = JSON.stringify(masked(parameters)) ?? '';
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
