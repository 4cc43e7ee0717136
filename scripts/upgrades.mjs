/** Rewrites plugins for API changes: `npm run plugin -- upgrade`. Each rule is also described in `docs/upgrading-a-plugin.md`. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { withSetup } from './upgrade-setup.mjs';

/** Exports that have moved to another module, with their new name. `from` is a module, or the end of a path to one. */
const moved = [
  {
    since: '0.1.0',
    title: 'menus are declared with #shared/menu-entry, which does not bring the contract along',
    from: '#shared/contract',
    to: '#shared/menu-entry',
    names: { menu: 'menu', codes: 'codes', Menu: 'Menu', Button: 'Button' },
  },
  {
    since: '0.1.0',
    title: 'tests of plugins take their server from the kit',
    from: '/support/test-server.ts',
    to: '#kit/server',
    names: { testServer: 'createServerHarness' },
    only: /(^|\/)tests\/plugins\//,
  },
  ...renamedExports('#shared/text', { Words: 'LocalizedText', WordValues: 'TextValues', say: 'localize', filled: 'interpolate' }),
  ...renamedExports('#shared/errors', { Refusal: 'ApiError' }),
  ...renamedExports('#shared/contract', {
    Nothing: 'NoInput',
    Done: 'NoContent',
    Who: 'Access',
    countedRows: 'maxCountedRows',
    fieldsAskedBy: 'conditionFields',
  }),
  {
    since: '0.1.0',
    title: 'fields of log entries are among the common ones',
    from: '#shared/log-fields',
    to: '#shared/common-fields',
    names: { loggedAt: 'logTimeFields', writtenBy: 'logServerFields', logTimeFields: 'logTimeFields', logServerFields: 'logServerFields' },
  },
  ...renamedExports('#shared/scopes', { scopedEntities: 'scopableEntities' }),
  ...renamedExports('#plugins/payment/contract', { paySum: 'payTotal', approvalSum: 'approvalTotal' }),
  ...renamedExports('#shared/parameters', { wholeParameter: 'integerParameter', WholeParameter: 'IntegerParameter' }),
  ...renamedExports('#shared/fields', {
    Optional: 'Nullable',
    Whole: 'Integer',
    Several: 'MultiSelect',
    ZeroOne: 'BooleanInt',
    Choice: 'Select',
  }),
  ...renamedExports('#kernel', {
    useWords: 'useTranslation',
    useText: 'useTranslation',
    part: 'lazyComponent',
    fill: 'contribute',
    Filling: 'Contribution',
    Undo: 'Disposer',
    AnswerFailure: 'ResponseError',
    HomeGuests: 'HomeContributions',
    clockText: 'formatDateTime',
    useHeldSubmit: 'useDeferredSubmit',
    Page: 'PluginPage',
    RouteOptions: 'PageRouteOptions',
    PluginEntry: 'LoadablePlugin',
  }),
  ...renamedExports('#shared/permission-explanation', { Question: 'PermissionQuestion' }),
  ...renamedExports('#shared/history-schemas', { FieldChange: 'ChangedValue' }),
  ...renamedExports('#server', {
    Refusal: 'ApiError',
    rowsOf: 'queryRows',
    PartedUpload: 'MultipartUpload',
    announceCompatibility: 'publishClientCompatibility',
    callersRoles: 'rolesForCaller',
    givePassword: 'assignOneTimePassword',
    handPassword: 'collectPassword',
    namedAsSeen: 'withVisibleLabels',
  }),
];

/** Properties with a new name, in the files whose path matches `in`, which declare them. */
const properties = [
  {
    title: 'a plugin has dependencies, optionalDependencies and contributions',
    in: /(^|\/)plugin\.ts$/,
    names: { needs: 'dependencies', wants: 'optionalDependencies', fills: 'contributions' },
  },
  {
    title: 'calls have an access, fields their standard options',
    in: /(^|[/-])contract\.ts$/,
    names: {
      who: 'access',
      knownFrom: 'suggestFrom',
      enteredBy: 'controlWhen',
      readAs: 'aliases',
      keepsHidden: 'keepWhenHidden',
      productOf: 'computedFrom',
    },
  },
];

function renamedExports(module, names) {
  return [{ since: '0.1.0', title: `exports of ${module} carry their standard names`, from: module, to: module, names }];
}

/** Returns the text of a module for this version, and the titles of the rules that changed it. */
export function upgraded(text, path) {
  // Rules are written for line feeds; a checkout with CRLF keeps its line ends.
  const isCrlf = text.includes('\r\n');
  let now = isCrlf ? text.replaceAll('\r\n', '\n') : text;
  const titles = [];
  for (const rule of moved) {
    if (rule.only && !rule.only.test(path)) continue;
    const next = withMoved(now, rule);
    if (next !== now) titles.push(rule.title);
    now = next;
  }
  for (const rule of properties.filter(({ in: where }) => where.test(path))) {
    const next = withProperties(now, rule.names);
    if (next !== now) titles.push(rule.title);
    now = next;
  }
  const { text: declared, imports } = withSetup(now);
  if (declared !== now) titles.push('server plugins declare their contributions in setup');
  now = imports.length > 0 ? withImport(declared, imports, '#server') : declared;
  return { text: isCrlf ? now.replaceAll('\n', '\r\n') : now, titles };
}

/** Renames keys of object literals: a name after a brace, a comma or at the beginning of a line, and before a colon. */
const withProperties = (text, names) => text.replace(/(?<=[{,]\s*|^\s*)(\w+)(?=: )/gm, (name) => (Object.hasOwn(names, name) ? names[name] : name));

const statement = /^import (type )?\{([^}]*)\} from '([^']+)';\n/gm;

function withMoved(text, { from, to, names }) {
  const taken = [];
  const remaining = text.replace(statement, (whole, type = '', list, module) => {
    if (module !== from && !(from.startsWith('/') && module.endsWith(from))) return whole;
    const wanted = list
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean);
    const leaving = wanted.filter((name) => nameOf(name) in names);
    taken.push(...leaving.map((name) => (type && !name.startsWith('type ') ? `type ${name}` : name)));
    const staying = wanted.filter((name) => !leaving.includes(name));
    if (leaving.length === 0) return whole;
    return staying.length > 0 ? `import ${type}{ ${staying.join(', ')} } from '${module}';\n` : '';
  });
  if (taken.length === 0) return text;
  const renamed = taken.reduce((result, name) => withRenamedUses(result, nameOf(name), names[nameOf(name)], name.includes(' as ')), remaining);
  const specifiers = [...new Set(taken.map((name) => name.replace(nameOf(name), names[nameOf(name)])))];
  return withImport(renamed, specifiers, to);
}

/** Returns `Menu` for `type Menu as Entry`. */
const nameOf = (specifier) =>
  specifier
    .replace(/^type /, '')
    .split(' as ')[0]
    .trim();

/** Renames an identifier outside of imports: another module can export the same name. */
const withRenamedUses = (text, before, after, isAliased) =>
  before === after || isAliased
    ? text
    : text
        .split(/^(import [\s\S]*?;\n)/m)
        .map((piece) => (piece.startsWith('import ') ? piece : piece.replace(new RegExp(`(?<![\\w.'"])${before}\\b`, 'g'), after)))
        .join('');

function withImport(text, specifiers, module) {
  let isJoined = false;
  const joined = text.replace(statement, (whole, type, list, name) => {
    if (type || name !== module || isJoined) return whole;
    isJoined = true;
    return `import { ${[
      ...new Set([
        ...list
          .split(',')
          .map((each) => each.trim())
          .filter(Boolean),
        ...specifiers,
      ]),
    ].join(', ')} } from '${module}';\n`;
  });
  if (isJoined) return joined;
  const line = `import { ${specifiers.join(', ')} } from '${module}';\n`;
  const imports = [...text.matchAll(/^import [\s\S]*?;\n/gm)];
  const after = imports.filter(([found]) => importSortKey(/'([^']+)';\n$/.exec(found)?.[1] ?? '') < importSortKey(module)).at(-1);
  const first = imports[0];
  const insertAt = after ? after.index + after[0].length : (first?.index ?? /^(\/\*\*[\s\S]*?\*\/\n)?/.exec(text)[0].length);
  return text.slice(0, insertAt) + line + text.slice(insertAt);
}

/** Sort key of an import, as the formatter orders them: packages, then `#` modules of this project, then files, each alphabetically. */
const importSortKey = (module) => `${module.startsWith('.') ? 2 : module.startsWith('#') ? 1 : 0}${module}`;

/** Upgrades every module below these folders; returns the changed files with the rules. With `isDry` nothing is written. */
export function upgradeFolders(folders, isDry = false) {
  return folders.flatMap(filesUnder).flatMap((file) => {
    const before = readFileSync(file, 'utf8');
    const { text, titles } = upgraded(before, relative(process.cwd(), file).replaceAll('\\', '/'));
    if (text === before) return [];
    if (!isDry) writeFileSync(file, text);
    return [{ file: relative(process.cwd(), file).replaceAll('\\', '/'), titles }];
  });
}

function filesUnder(folder) {
  const path = resolve(folder);
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.parentPath.includes('node_modules'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
