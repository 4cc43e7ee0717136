/** Texts, which stay as they are, or numbers of more digits than a double holds. */
const parts = /"(?:[^"\\]|\\.)*"|(?<![\d.eE+])-?\d{16,}(?![\d.eE])/g;

/** JSON in which whole numbers past 2⁵³ arrive as text, for PowerJob's ids of runs are such; undefined where it is none. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(parts, (part) => (part.startsWith('"') ? part : `"${part}"`)));
  } catch {
    return undefined;
  }
}
