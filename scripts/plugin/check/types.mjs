/**
 * Checks the types of a plugin's files. The compiler reads all files that they import, but checks these only, which takes a fifth of the time of the whole project.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { API, DiagnosticCategory } from 'typescript/unstable/async';
import { root } from '../../prepare.mjs';

// The compiler runs for a few seconds, so garbage collection would only cost time.
Object.assign(process.env, { GOGC: 'off', GOMEMLIMIT: '1GiB', ...process.env });

const slashes = (path) => path.replaceAll('\\', '/');

/** Returns the errors of the type checker in the files of one plugin, as `filesOf` returns them. */
export async function typeFindings(subject, files) {
  const location = subject.isInTree ? inTree(subject) : asIfInTree(subject);
  const sources = files.filter(({ file }) => /\.tsx?$/.test(file)).map((one) => ({ ...one, projectPath: slashes(location.pathOf(one.file)) }));
  if (sources.length === 0) return [];
  const settings = { extends: slashes(join(root, 'tsconfig.json')), include: [], files: [...sources.map(({ projectPath }) => projectPath), ...declarations()] };
  const api = new API({ cwd: root, ...(location.fs ? { fs: location.fs(JSON.stringify(settings)) } : {}) });
  try {
    if (!location.fs) {
      mkdirSync(join(location.settings, '..'), { recursive: true });
      writeFileSync(location.settings, JSON.stringify(settings));
    }
    const name = slashes(location.settings);
    const snapshot = await api.updateSnapshot({ openProjects: [name] });
    const project = snapshot.getProject(name);
    if (!project) throw new Error(`The type checker could not open ${name}.`);
    const found = [];
    for (const one of sources) found.push(...(await findingsIn(project.program, one)));
    return found;
  } finally {
    await api.close();
  }
}

async function findingsIn(program, { path, text, projectPath }) {
  const all = [...(await program.getSyntacticDiagnostics(projectPath)), ...(await program.getSemanticDiagnostics(projectPath))];
  return all
    .filter(({ category }) => category === DiagnosticCategory.Error)
    .map((one) => ({ rule: 'types', path, line: text.slice(0, one.pos).split('\n').length, reason: `${messageOf(one).join('\n')} (TS${one.code})` }));
}

const messageOf = ({ text, messageChain = [] }, indent = '') => [`${indent}${text}`, ...messageChain.flatMap((one) => messageOf(one, `${indent}  `))];

/** Files that declare modules for the whole project. */
const declarations = () =>
  ['src', 'tests/support'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.d.ts'))
      .map((file) => slashes(join(root, folder, file))),
  );

const inTree = ({ id }) => ({ settings: join(root, 'node_modules/.cache/marquee/check', `${id}.tsconfig.json`), pathOf: (file) => file });

/** Shows the type checker a folder outside of the tree as `src/plugins/<id>`, from where imports lead to the modules of the project. */
function asIfInTree({ id, folder }) {
  const start = slashes(join(root, 'src/plugins', id));
  const settings = join(root, `${id}.check.tsconfig.json`);
  const isWithin = (path) => path === start || path.startsWith(`${start}/`);
  const real = (path) => join(folder, path.slice(start.length));
  // The plugin's package.json would hide the `imports` of the project's.
  const isHidden = (path) => path === `${start}/package.json`;
  return {
    settings,
    pathOf: (file) => start + slashes(file.slice(folder.length)),
    fs: (text) => ({
      readFile(path) {
        if (path === slashes(settings)) return text;
        if (!isWithin(path)) return undefined;
        return isHidden(path) || !existsSync(real(path)) ? null : readFileSync(real(path), 'utf8');
      },
      fileExists(path) {
        if (path === slashes(settings)) return true;
        return isWithin(path) ? !isHidden(path) && isA(real(path), 'isFile') : undefined;
      },
      directoryExists: (path) => (isWithin(path) ? isA(real(path), 'isDirectory') : undefined),
      realpath: (path) => (isWithin(path) ? path : undefined),
    }),
  };
}

const isA = (path, kind) => existsSync(path) && statSync(path)[kind]();
