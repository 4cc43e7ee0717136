import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

const root = process.cwd();

/** A file of the project, with its path from the project's root in forward slashes. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** Returns all files below a folder with one of the extensions. */
export function filesUnder(folder: string, extensions: readonly string[] = ['.ts', '.tsx']): SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && extensions.some((extension) => entry.name.endsWith(extension)))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => ({ path: path.slice(root.length + 1).replaceAll('\\', '/'), text: readFileSync(path, 'utf8') }));
}

/** Matches import statements at the start of a line only, so that text that looks like one is ignored; `import()` can be anywhere. */
const importPatterns = [/^(?:import|export)\s(?:[^'"`;=]*\sfrom\s)?\s*'([^']+)'/gm, /(?<!['"`\w.])import\('([^']+)'\)/g];

/** Returns the imports of a file with their lines: packages and `#` names as written, relative imports as paths from the project's root. */
export function importsIn({ path, text }: SourceFile): { name: string; line: number }[] {
  return importPatterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(({ 1: specifier = '', index }) => ({
      name: specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : specifier,
      line: text.slice(0, index).split('\n').length,
    })),
  );
}

/** Returns the imports of a file as `importsIn` names them. */
export const importsOf = (file: SourceFile): string[] => importsIn(file).map(({ name }) => name);
