/** Builds the public API reports in `docs/api` from the emitted declarations: every export with its doc comment and its signature. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { packageCommand, root } from './prepare.mjs';
import { sharedModule } from './shared-folders.mjs';

const publicModules = [
  { name: '#kernel', file: 'kernel.md', entries: ['src/kernel/index.ts'], intro: 'Exports for console halves of plugins.' },
  { name: '#server', file: 'server.md', entries: ['src/server/index.ts'], intro: 'Exports for server halves of plugins.' },
  {
    name: '#shared',
    file: 'shared.md',
    entries: ['contract', 'fields', 'entity-extension', 'menu-entry', 'errors', 'condition', 'tree', 'text', 'validation', 'live'].map((name) =>
      relative(root, sharedModule(name)),
    ),
    intro: 'Exports for contracts, imported by file: `#shared/contract`, `#shared/fields` …',
  },
];

/** Returns the reports that `docs/api` should contain. */
export function apiReports() {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-api-'));
  try {
    emitDeclarations(folder);
    return publicModules.map(({ name, file, entries, intro }) => {
      const sections = entries.map((entry) => {
        const exportSections = exportsOf(declarationOf(folder, entry))
          .sort((one, other) => (one.name.toLowerCase() < other.name.toLowerCase() ? -1 : 1))
          .map(({ name: exported, text, doc }) => `## ${exported}\n\n${doc ? `${doc}\n\n` : ''}\`\`\`ts\n${text}\n\`\`\`\n`);
        return entries.length > 1 ? `# ${name}/${entry.replace(/^.*\/|\.ts$/g, '')}\n\n${exportSections.join('\n')}` : exportSections.join('\n');
      });
      return { file, text: `# ${name}\n\n${intro} Written by \`npm run api\`; a test fails when it differs from the code.\n\n${sections.join('\n')}` };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Emits the declarations of the public modules and of their imports with the TypeScript compiler. */
function emitDeclarations(folder) {
  const config = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      newLine: 'lf',
      outDir: join(folder, 'out'),
      rootDir: join(root, 'src'),
      noCheck: true,
      typeRoots: [join(root, 'node_modules/@types')],
    },
    files: [...publicModules.flatMap(({ entries }) => entries), 'src/shared/deployment.d.ts'].map((entry) => join(root, entry)),
    include: [],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const { stdout, stderr } = spawnSync(process.execPath, [packageCommand('typescript'), '-p', folder], { encoding: 'utf8' });
  if (!existsSync(join(folder, 'out', 'kernel/index.d.ts'))) throw new Error(`The compiler emitted no declarations: ${stdout}${stderr}`);
}

const declarationOf = (folder, entry) => join(folder, 'out', relative('src', entry).replace(/\.tsx?$/, '.d.ts'));

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
