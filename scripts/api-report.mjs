/** Builds the public API reports in `docs/api` from the emitted declarations: every export with its doc comment and its signature. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { declarationOf, emitDeclarations } from './declarations.mjs';
import { root } from './prepare.mjs';
import { sharedFolders, sharedModule } from './shared-folders.mjs';

/** Returns the sources of every module that plugins import as `#shared/<name>`. */
const sharedEntries = sharedFolders.flatMap((folder) => {
  const files = readdirSync(folder).filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'));
  return files.sort().map((file) => relative(root, join(folder, file)).replaceAll('\\', '/'));
});

const publicModules = [
  { name: '#kernel', file: 'kernel.md', entries: ['src/kernel/index.ts'], intro: 'Exports for console halves of plugins.' },
  { name: '#server', file: 'server.md', entries: ['src/server/index.ts'], intro: 'Exports for server halves of plugins.' },
  { name: '#shared', file: 'shared.md', entries: sharedEntries, intro: 'Exports for contracts, imported by file: `#shared/contract`, `#shared/fields` …' },
  { name: '#kit', file: 'kit.md', entries: ['tests/kit/console.tsx', 'tests/kit/server.ts'], intro: 'Exports for tests of plugins.' },
];

/** Returns the reports that `docs/api` should contain. */
export function apiReports() {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-api-'));
  try {
    emitDeclarations(
      folder,
      publicModules.flatMap(({ entries }) => entries),
    );
    return publicModules.map(({ name, file, entries, intro }) => {
      const sections = entries.map((entry) => {
        const text = exportSections(folder, entry).join('\n');
        return entries.length > 1 ? `# ${name}/${entry.replace(/^.*\/|\.tsx?$/g, '')}\n\n${text}` : text;
      });
      return { file, text: `# ${name}\n\n${intro} Written by \`npm run api\`; a test fails when it differs from the code.\n\n${sections.join('\n')}` };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Describes each export of a source file whose declarations are in `folder`: its name, its doc comment and its declaration. */
export const exportSections = (folder, entry) =>
  exportsOf(declarationOf(folder, entry))
    .sort((one, other) => (one.name.toLowerCase() < other.name.toLowerCase() ? -1 : 1))
    .map(({ name, text, doc }) => `## ${name}\n\n${doc ? `${doc}\n\n` : ''}\`\`\`ts\n${text}\n\`\`\`\n`);

/** Returns all exports of a declaration file, including re-exports, each with the text of its declaration. */
function exportsOf(file) {
  const statements = statementsOf(file);
  const reexports = statements.flatMap(({ text }) => {
    const [, names, from] = /^export (?:type )?\{([^}]+)\} from '([^']+)';/s.exec(text) ?? /^export (?:type )?\{([^}]+)\} from "([^"]+)";/s.exec(text) ?? [];
    return names ? names.split(',').flatMap((name) => resolveReexport(name.trim().replace(/^type /, ''), file, from)) : [];
  });
  return [...reexports, ...statements.flatMap(({ name, text, doc }) => (name && text.startsWith('export') ? [{ name, text: stripNoise(text), doc }] : []))];
}

/** Returns the declaration behind one name of a re-export, such as `original as alias`. */
function resolveReexport(name, file, from) {
  if (!name) return [];
  const [original, alias = original] = name.split(' as ');
  const target = from.startsWith('#shared/')
    ? declarationOf(file.slice(0, file.lastIndexOf(`${sep}out${sep}`)), relative(root, sharedModule(from.slice(8))))
    : resolve(dirname(file), from).replace(/\.tsx?$/, '.d.ts');
  const found = mergeDeclarations(exportsOf(target).filter((exported) => exported.name === original));
  if (!found) throw new Error(`${relative(root, target)} declares no ${original}`);
  return [{ ...found, name: alias }];
}

/** Merges declarations of the same name into one entry: the overloads of a function, or a class and a type. */
const mergeDeclarations = ([first, ...more]) => first && { ...first, text: [first, ...more].map(({ text }) => text).join('\n') };

/** Splits a declaration file into statements; each starts at the beginning of a line and includes its doc comment. */
function statementsOf(file) {
  const lines = readFileSync(file, 'utf8').split('\n');
  const statements = [];
  let docLines = [];
  for (let index = 0; index < lines.length; index++) {
    if (lines[index].startsWith('/**')) {
      docLines = [];
      for (; ; index++) {
        docLines.push(lines[index]);
        if (lines[index].includes('*/')) break;
      }
      continue;
    }
    if (!/^(export|declare|import|interface|type)\b/.test(lines[index])) continue;
    const text = [lines[index]];
    while (index + 1 < lines.length && !/^(export|declare|import|interface|type|\/\*\*)/.test(lines[index + 1])) text.push(lines[++index]);
    const name = /^export (?:declare )?(?:default )?(?:abstract )?(?:const|function|class|interface|type|enum) (\w+)/.exec(text[0])?.[1];
    statements.push({ name, text: text.join('\n').trim(), doc: docTextOf(docLines) });
    docLines = [];
  }
  return statements;
}

const docTextOf = (lines) =>
  lines
    .join('\n')
    .replace(/^\/\*\*|\*\/$/g, '')
    .replace(/^\s*\* ?/gm, '')
    .trim();

/** Removes private members, `export` keywords and inline `import()` types, which would only add noise to the report. */
const stripNoise = (text) =>
  text
    .replace(/^export (declare )?/gm, '')
    .replace(/\bimport\("[^"]+"\)\./g, '')
    .replace(/^ {4}private .*;\n/gm, '')
    .replace(/^ {4}#private;\n/gm, '')
    .trim();

/** Returns the reports that differ from the files in `docs/api`. */
export const staleReports = () =>
  apiReports().filter(({ file, text }) => {
    const path = join(root, 'docs/api', file);
    return !existsSync(path) || readFileSync(path, 'utf8') !== text;
  });

/** Returns the files in `docs/api` that no longer belong to a report. */
export const unknownReports = () => readdirSync(join(root, 'docs/api')).filter((file) => !publicModules.some((module) => module.file === file));
