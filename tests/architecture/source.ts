import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

const root = process.cwd();

/** One file of the project, its path from the project's root with forward slashes. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** Every file under a folder whose name ends as asked. */
export function filesUnder(folder: string, endings: readonly string[] = ['.ts', '.tsx']): SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && endings.some((ending) => entry.name.endsWith(ending)))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => ({ path: path.slice(root.length + 1).replaceAll('\\', '/'), text: readFileSync(path, 'utf8') }));
}

/** Statements begin their line, so that a text which looks like one is none; `import()` may stand anywhere. */
const importing = [/^(?:import|export)\s(?:[^'"`;=]*\sfrom\s)?\s*'([^']+)'/gm, /(?<!['"`\w.])import\('([^']+)'\)/g];

/** What a file imports: packages and `#` names as written, relative imports as paths from the project's root. */
export function importsOf({ path, text }: SourceFile): string[] {
  const specifiers = importing.flatMap((pattern) => [...text.matchAll(pattern)].map(([, specifier]) => specifier ?? ''));
  return specifiers.map((specifier) => (specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : specifier));
}
