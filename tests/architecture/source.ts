import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

const root = process.cwd();

/** A file of the project, with its path from the project's root in forward slashes. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** Returns all files below a folder with one of the extensions. */
export function filesUnder(folder: string, endings: readonly string[] = ['.ts', '.tsx']): SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && endings.some((ending) => entry.name.endsWith(ending)))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => ({ path: path.slice(root.length + 1).replaceAll('\\', '/'), text: readFileSync(path, 'utf8') }));
}

/** Matches import statements at the start of a line only, so that text that looks like one is ignored; `import()` can be anywhere. */
const importing = [/^(?:import|export)\s(?:[^'"`;=]*\sfrom\s)?\s*'([^']+)'/gm, /(?<!['"`\w.])import\('([^']+)'\)/g];

/** Returns the imports of a file: packages and `#` names as written, relative imports as paths from the project's root. */
export function importsOf({ path, text }: SourceFile): string[] {
  const specifiers = importing.flatMap((pattern) => [...text.matchAll(pattern)].map(([, specifier]) => specifier ?? ''));
  return specifiers.map((specifier) => (specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : specifier));
}
