/** Reads the manifest of a deployment. It uses Node built-ins only, so it runs on a fresh clone. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { idOf, withAbsolutePath } from './plugin-sources.mjs';

const root = resolve(import.meta.dirname, '..');

/** Returns the path of the manifest: `MARQUEE_MANIFEST`, or else `plugins.manifest.json`. */
export const manifestPath = () => resolve(root, process.env.MARQUEE_MANIFEST ?? 'plugins.manifest.json');

/**
 * Reads a manifest, merges those it extends, and returns it with the files read, the requested one first. `product`, `brand` and `modes` are merged by key;
 * `plugins` replaces the inherited list, `without` and `with` change it; `remotes` are added to the inherited ones or replace one of them. In the result, paths of
 * plugins are absolute and files of the brand are `file:` URLs. Throws an error that names the file.
 */
export function readManifestFile(path = manifestPath(), extendingPaths = []) {
  if (extendingPaths.includes(path)) throw new Error(`${nameOf(path)} extends itself: ${[...extendingPaths, path].map(nameOf).join(' → ')}`);
  const { $schema: _, extends: extended, with: added = [], without = [], ...own } = readJson(path);
  const basePath = extended === undefined ? undefined : resolve(dirname(path), extended);
  const base = basePath === undefined ? { manifest: {}, files: [] } : readManifestFile(basePath, [...extendingPaths, path]);
  const manifest = { ...base.manifest, ...own };
  for (const key of ['product', 'brand', 'modes']) if (own[key] && base.manifest[key]) manifest[key] = { ...base.manifest[key], ...own[key] };
  for (const key of ['logo', 'favicon', 'background'])
    if (own.brand?.[key]) manifest.brand = { ...manifest.brand, [key]: resolveAssetUrl(path, own.brand[key]) };
  const listed = own.plugins?.map((entry) => withAbsolutePath(entry, dirname(path))) ?? base.manifest.plugins ?? [];
  const remotes = [...(base.manifest.remotes ?? []).filter(({ id }) => !own.remotes?.some((one) => one.id === id)), ...(own.remotes ?? [])];
  const unknown = without.filter((id) => !listed.some((entry) => idOf(entry) === id) && !remotes.some((one) => one.id === id));
  if (unknown.length > 0)
    throw new Error(`${nameOf(path)} lists ${unknown.join(', ')} in "without", but ${basePath ? nameOf(basePath) : 'it'} does not list them`);
  const remaining = listed.filter((entry) => !without.includes(idOf(entry)));
  if (own.remotes || base.manifest.remotes) manifest.remotes = remotes.filter(({ id }) => !without.includes(id));
  manifest.plugins = added.map((entry) => withAbsolutePath(entry, dirname(path))).reduce(withEntry, remaining);
  return { manifest, files: [path, ...base.files] };
}

/** Adds an entry, or replaces the one with its id; their options are merged. */
function withEntry(entries, added) {
  const index = entries.findIndex((entry) => idOf(entry) === idOf(added));
  if (index < 0) return [...entries, added];
  const options = { ...entries[index].options, ...added.options };
  const merged = Object.keys(options).length > 0 ? { ...(typeof added === 'string' ? { use: added } : added), options } : added;
  return entries.with(index, merged);
}

/** Returns messages about the problems of a manifest; requires the installed packages. Options of plugins are validated separately. */
export async function problemsOf(manifest) {
  const schema = JSON.parse(readFileSync(join(root, 'src/shared/manifest.schema.json'), 'utf8'));
  const { allOf: _, ...plugins } = schema.properties.plugins.items;
  const properties = { ...schema.properties, plugins: { ...schema.properties.plugins, items: plugins } };
  const messages = await schemaProblems({ ...schema, properties, required: schema.else.required, if: undefined, else: undefined }, manifest);
  return messages.map((message) => message.replace(/^plugins\.(\d+)\.(?!use )/, (_, index) => `plugins.${idOf(manifest.plugins[index])}.`));
}

/** Returns messages about the violations of a schema, each with its path. */
export async function schemaProblems(schema, value, path = '') {
  const { default: Schema } = await import('typebox/schema');
  const [, errors] = Schema.Errors(schema, value);
  return errors.filter(({ keyword }) => !['boolean', 'if', 'anyOf'].includes(keyword)).flatMap((error) => messagesOf(error, path));
}

function messagesOf({ keyword, instancePath, message, params }, path) {
  const fullPath = [path, ...instancePath.slice(1).split('/')].filter(Boolean).join('.');
  const within = (name) => (fullPath ? `${fullPath}.${name}` : name);
  if (keyword === 'required') return params.requiredProperties.map((name) => `${within(name)} is missing`);
  if (keyword === 'additionalProperties') return params.additionalProperties.map((name) => `${within(name)} is not known`);
  return [`${fullPath} ${message}${params.allowedValues ? `: ${params.allowedValues.join(', ')}` : ''}`];
}

function readJson(path) {
  if (!existsSync(path)) throw new Error(`manifest ${nameOf(path)} not found`);
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Error(`${nameOf(path)} is not JSON: ${error.message}`);
  }
}

const resolveAssetUrl = (path, address) => (address.startsWith('.') ? pathToFileURL(resolve(dirname(path), address)).href : address);
const nameOf = (path) => relative(process.cwd(), path) || path;
