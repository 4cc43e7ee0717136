/** Validates the options that a deployment sets for its plugins against the schema in each plugin's `options.ts`. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compiled } from './compiled.mjs';
import { schemaProblems } from './manifest.mjs';

/** Returns the options of each plugin by id with defaults: `all` of them, and those of the `console`, without those of the server; and messages about invalid ones. */
export async function settledOptions(plugins) {
  const schemas = await optionSchemas(plugins);
  const settled = new Map();
  const problems = [];
  for (const { id, options } of plugins) {
    const schema = schemas.get(id);
    if (schema) {
      const all = withDefaults(schema, options);
      problems.push(...(await schemaProblems(schema, all, `plugins.${id}.options`)));
      settled.set(id, { all, console: forConsole(schema, all) });
    } else if (options && Object.keys(options).length > 0) problems.push(`plugins.${id}.options: the plugin has no options`);
  }
  return { settled, problems };
}

/** Returns the options schema of each plugin that has one. */
export async function optionSchemas(plugins) {
  const declaring = plugins.filter(({ files }) => files.options);
  const withSchemaFile = declaring.filter(({ files }) => files.options.endsWith('.json'));
  const withSource = declaring.filter((plugin) => !withSchemaFile.includes(plugin));
  const parsed = withSchemaFile.map(({ id, files }) => [id, JSON.parse(readFileSync(files.options, 'utf8'))]);
  return new Map([...parsed, ...(await compiledSchemas(withSource))]);
}

function withDefaults({ properties = {} }, options = {}) {
  const defaults = Object.entries(properties).filter(([name, { default: value }]) => value !== undefined && options[name] === undefined);
  return { ...Object.fromEntries(defaults.map(([name, { default: value }]) => [name, value])), ...options };
}

const forConsole = ({ onServer = [] }, options) => Object.fromEntries(Object.entries(options).filter(([name]) => !onServer.includes(name)));

/** Compiles all schemas in one run. */
async function compiledSchemas(plugins) {
  if (plugins.length === 0) return [];
  const folder = mkdtempSync(join(tmpdir(), 'marquee-options-'));
  try {
    const entry = join(folder, 'options.ts');
    writeFileSync(entry, plugins.map(({ files }, index) => `export { default as schema${index} } from ${JSON.stringify(files.options)};\n`).join(''));
    const module = await compiled(entry);
    return plugins.map(({ id }, index) => [id, module[`schema${index}`]]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
