const longest = 4000;

/** Formats a value as JSON for display, with secrets masked and a limited length. */
export function shownValue(value: unknown): string {
  const seen = new WeakSet<object>();
  const plain = (key: string, part: unknown): unknown => {
    if (/token|secret|password/i.test(key)) return '***';
    if (typeof part === 'function') return '[function]';
    if (part instanceof Map || part instanceof Set) return [...part];
    if (typeof part !== 'object' || part === null) return part;
    if (seen.has(part)) return '[above]';
    seen.add(part);
    return part;
  };
  try {
    const text = JSON.stringify(value, plain, 2) ?? String(value);
    return text.length > longest ? `${text.slice(0, longest)}…` : text;
  } catch (error) {
    return String(error);
  }
}
