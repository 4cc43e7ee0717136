/** Reads what a deployment is made of. Node built-ins alone, so it runs on a fresh clone. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = resolve(import.meta.dirname, '..');
const pluginsFolder = join(root, 'src/plugins');

/** The manifest of this build: `MARQUEE_MANIFEST`, else `plugins.manifest.json`. */
export const manifestPath = () => resolve(root, process.env.MARQUEE_MANIFEST ?? 'plugins.manifest.json');

/**
 * A manifest with what it extends put in, and the files it was read from, the one asked for first. Of `product`, `brand` and `modes` a file says only what differs;
 * `plugins` takes the place of the list before it, `without` and `with` change it. In what is given, paths of plugins are absolute and files of the brand are `file:` addresses. Throws a sentence that names the file.
 */
export function readManifestFile(path = manifestPath(), above = []) {
  if (above.includes(path)) throw new Error(`${nameOf(path)} extends itself: ${[...above, path].map(nameOf).join(' → ')}`);
  const { $schema: _, extends: base, with: added = [], without = [], ...own } = parsed(path);
  const below = base === undefined ? { manifest: {}, files: [] } : readManifestFile(resolve(dirname(path), base), [...above, path]);
  const manifest = { ...below.manifest, ...own };
  for (const key of ['product', 'brand', 'modes']) if (own[key] && below.manifest[key]) manifest[key] = { ...below.manifest[key], ...own[key] };
  for (const key of ['logo', 'favicon', 'background']) if (own.brand?.[key]) manifest.brand = { ...manifest.brand, [key]: fileOr(path, own.brand[key]) };
  const listed = own.plugins?.map((entry) => besides(path, entry)) ?? below.manifest.plugins ?? [];
  const unknown = without.filter((id) => !listed.some((entry) => idOf(entry) === id));
  if (unknown.length > 0)
    throw new Error(`${nameOf(path)} is without ${unknown.join(', ')}, which ${base ? nameOf(resolve(dirname(path), base)) : 'it'} does not have`);
  const left = listed.filter((entry) => !without.includes(idOf(entry)));
  manifest.plugins = [...new Set([...left, ...added.map((entry) => besides(path, entry))])];
  return { manifest, files: [path, ...below.files] };
}

/** What a plugin is called: the last part of its entry. */
export const idOf = (entry) => basename(entry);

/** A file of a plugin, given its entry as it was read. */
export const pluginFile = (entry, path = '') => join(resolve(pluginsFolder, entry), path);

/** Ids of the plugins this tree has, whether a manifest lists them or not. */
export const pluginsOfTree = () =>
  readdirSync(pluginsFolder, { withFileTypes: true })
    .filter((folder) => folder.isDirectory())
    .map(({ name }) => name)
    .sort();

/** Sentences about what is wrong with a manifest that was read; the packages must be there. */
export async function problemsOf(manifest) {
  const { default: Schema } = await import('typebox/schema');
  const schema = JSON.parse(readFileSync(join(root, 'src/shared/manifest.schema.json'), 'utf8'));
  const whole = { ...schema, required: schema.else.required, if: undefined, else: undefined };
  const [, errors] = Schema.Errors(whole, manifest);
  return errors.filter(({ keyword }) => keyword !== 'boolean').flatMap(sentencesOf);
}

function sentencesOf({ keyword, instancePath, message, params }) {
  const place = instancePath.slice(1).replaceAll('/', '.');
  const within = (name) => (place ? `${place}.${name}` : name);
  if (keyword === 'required') return params.requiredProperties.map((name) => `${within(name)} is missing`);
  if (keyword === 'additionalProperties') return params.additionalProperties.map((name) => `${within(name)} is not known`);
  return [`${place} ${message}${params.allowedValues ? `: ${params.allowedValues.join(', ')}` : ''}`];
}

function parsed(path) {
  if (!existsSync(path)) throw new Error(`there is no manifest ${nameOf(path)}`);
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Error(`${nameOf(path)} is not JSON: ${error.message}`);
  }
}

const besides = (path, entry) => (entry.startsWith('.') ? resolve(dirname(path), entry) : entry);
const fileOr = (path, place) => (place.startsWith('.') ? pathToFileURL(besides(path, place)).href : place);
const nameOf = (path) => relative(process.cwd(), path) || path;
