/** Matches strings, which stay unchanged, and integers with more digits than a double can hold. */
const parts = /"(?:[^"\\]|\\.)*"|(?<![\d.eE+])-?\d{16,}(?![\d.eE])/g;

/** Parses JSON and returns integers above 2⁵³ as text, because PowerJob's run ids are that long; undefined when it is invalid. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(parts, (part) => (part.startsWith('"') ? part : `"${part}"`)));
  } catch {
    return undefined;
  }
}
