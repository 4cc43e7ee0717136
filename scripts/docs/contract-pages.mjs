/** Writes a page of the documentation site for each plugin: its pages, entities, calls, events, filters and problems, as its contract declares them. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportSections } from '../api-report.mjs';
import { compiled } from '../compiled.mjs';
import { emitDeclarations } from '../declarations.mjs';
import { pluginFile, pluginsOfTree } from '../plugin-sources.mjs';

const contractFilePattern = /^([\w-]+-)?(contract|menus|events)\.ts$/;
const extensionFiles = ['extension.ts', 'server-extension.ts'];

/** Writes the pages into a folder and returns the ids of the plugins. */
export async function writeContractPages(folder) {
  const plugins = pluginsOfTree().map((id) => ({ id, files: readdirSync(pluginFile(id)) }));
  const contractExports = await contractExportsOf(plugins);
  const declarationsFolder = mkdtempSync(join(tmpdir(), 'marquee-extensions-'));
  try {
    const offered = plugins.flatMap(({ id, files }) =>
      extensionFiles.filter((file) => files.includes(file)).map((file) => ({ id, file: `src/plugins/${id}/${file}` })),
    );
    emitDeclarations(
      declarationsFolder,
      offered.map(({ file }) => file),
    );
    mkdirSync(folder, { recursive: true });
    for (const { id } of plugins) {
      const sections = offered.filter((one) => one.id === id).flatMap(({ file }) => exportSections(declarationsFolder, file));
      writeFileSync(join(folder, `${id}.md`), contractPage(id, contractExports.get(id), sections));
    }
  } finally {
    rmSync(declarationsFolder, { recursive: true, force: true });
  }
  return plugins.map(({ id }) => id);
}

/** Returns the exports of the contracts of each plugin by its id. */
async function contractExportsOf(plugins) {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-contracts-'));
  try {
    const entry = join(folder, 'contracts.ts');
    const lines = plugins.flatMap(({ id, files }, index) =>
      files
        .filter((file) => contractFilePattern.test(file))
        .map((file, fileIndex) => `export * as module_${index}_${fileIndex} from ${JSON.stringify(pluginFile(id, file))};\n`),
    );
    writeFileSync(entry, lines.join(''));
    const modules = Object.entries(await compiled(entry));
    return new Map(
      plugins.map(({ id }, index) => [id, Object.assign({}, ...modules.filter(([name]) => name.startsWith(`module_${index}_`)).map(([, all]) => all))]),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const isObject = (value) => typeof value === 'object' && value !== null;
const isCall = (value) => isObject(value) && 'method' in value && 'reply' in value;
const isEntity = (value) => isObject(value) && 'row' in value && 'form' in value && 'owner' in value;
const isMenu = (value) => isObject(value) && 'code' in value && 'path' in value && 'title' in value && !('method' in value);
const isProblem = (value) => isObject(value) && typeof value.status === 'number' && Array.isArray(value.message);
const isToken = (value) => isObject(value) && typeof value.name === 'string' && /^[\w-]+:[\w-]+$/.test(value.name);

/** Returns the page of a plugin. */
function contractPage(id, exports, extensionSections) {
  const found = { menus: new Map(), entities: new Map(), calls: new Map(), tokens: new Map(), problems: new Map() };
  for (const [name, value] of Object.entries(exports)) collect(found, name, value);
  const sections = [
    tableSection('Pages', ['code', 'title', 'address', 'buttons'], [...found.menus.values()].map(menuRow)),
    ...[...found.entities.entries()].map(([name, entity]) => entitySection(name, entity)),
    tableSection('Calls', ['name', 'call', 'title', 'access', 'input', 'reply'], [...found.calls.entries()].map(callRow)),
    tableSection(
      'Events and filters',
      ['export', 'name'],
      [...found.tokens].map(([name, token]) => [code(name), code(token.name)]),
    ),
    tableSection(
      'Problems',
      ['name', 'status', 'message'],
      [...found.problems].map(([name, { status, message }]) => [code(name), String(status), message.map(cell).join('<br>')]),
    ),
  ];
  const extension = extensionSections.length > 0 ? `## Extensions\n\n${extensionSections.map((text) => `#${text}`).join('\n')}` : '';
  return `# ${id}\n\nThe public contract of the plugin \`${id}\`, generated from its source. Other plugins import it as \`#plugins/${id}/contract\`.\n\n${[...sections.filter(Boolean), extension].join('\n')}`;
}

/** Sorts an export and what it contains by its kind. */
function collect(found, name, value) {
  if (isCall(value)) found.calls.set(name, value);
  else if (isEntity(value)) found.entities.set(name, value);
  else if (isProblem(value)) found.problems.set(name, value);
  else if (isMenu(value)) found.menus.set(value.code, value);
  else if (isToken(value)) found.tokens.set(name, value);
  else if (isObject(value) && Object.getPrototypeOf(value) === Object.prototype && !('type' in value))
    for (const [part, inner] of Object.entries(value)) if (!isEntity(inner)) collect(found, `${name}.${part}`, inner);
}

const menuRow = ({ code: menuCode, title, path, buttons = [] }) => [
  code(menuCode),
  title.map(cell).join('<br>'),
  code(path),
  buttons.map((button) => code(typeof button === 'string' ? `${menuCode}_${button}` : button.code)).join(' '),
];

function entitySection(name, { name: stored, owner, fields, archivable, history }) {
  const facts = [
    `Table \`${stored.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}\``,
    owner === 'tenant' ? 'its rows belong to tenants' : 'its rows belong to the platform',
    ...(archivable ? ['rows can be archived'] : []),
    ...(history === false ? ['no history'] : []),
  ];
  const rows = Object.entries(fields).map(([field, schema]) => {
    const { title, search, filter, sort } = schema.field ?? {};
    const uses = [search || filter ? 'filter' : '', sort ? 'sort' : ''].filter(Boolean).join(', ');
    return [code(field), (title ?? []).map(cell).join('<br>'), typeText(schema), uses];
  });
  return `## ${name}\n\n${facts.join('; ')}.\n\n${markdownTable(['field', 'title', 'type', 'supports'], rows)}`;
}

function callRow([name, { method, path, title, access, input, reply, download, upload }]) {
  const granted = typeof access === 'string' ? access : Object.values(access).map(code).join(' ');
  return [
    code(name),
    code(`${method} ${path}`),
    title.map(cell).join('<br>'),
    granted,
    `${upload ? 'a file; ' : ''}${typeText(input)}`,
    download ? 'a file' : typeText(reply),
  ];
}

/** Describes a schema in one table cell: its values, its properties, or its type with bounds. */
function typeText(schema = {}) {
  const { type, anyOf, enum: values, const: constant, items, properties, maxLength, minimum, maximum, format, field } = schema;
  if (constant !== undefined) return code(JSON.stringify(constant));
  if (field?.options?.length > 0) return field.options.map(([value, label]) => `${code(String(value))} ${cell(label[1])}`).join('<br>');
  if (values) return values.map((value) => code(String(value))).join(' ');
  if (anyOf) return [...new Set(anyOf.map(typeText))].join(' or ');
  if (type === 'array') return `list of ${typeText(items)}`;
  if (properties) {
    const required = new Set(schema.required ?? []);
    return Object.keys(properties)
      .map((name) => code(required.has(name) ? name : `${name}?`))
      .join(' ');
  }
  const bounds = [
    maxLength === undefined ? '' : `up to ${maxLength} characters`,
    minimum === undefined ? '' : `from ${minimum}`,
    maximum === undefined ? '' : `to ${maximum}`,
  ].filter(Boolean);
  return [format ?? type ?? 'any', ...bounds].join(', ');
}

const code = (text) => `\`${String(text).replaceAll('|', '\\|')}\``;
/** Escapes text for a cell of a table. */
const cell = (text) => String(text).replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('{', '\\{').replaceAll('\n', ' ');
const markdownTable = (heads, rows) =>
  `| ${heads.join(' | ')} |\n|${heads.map(() => ' --- |').join('')}\n${rows.map((row) => `| ${row.join(' | ')} |\n`).join('')}`;
const tableSection = (title, heads, rows) => (rows.length > 0 ? `## ${title}\n\n${markdownTable(heads, rows)}` : undefined);
