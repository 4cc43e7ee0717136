import * as server from '#server';
import * as contract from '#shared/contract';
import * as fields from '#shared/fields';
import * as menus from '#shared/menu-entry';
import type { EmittedFile } from '../../src/plugins/codegen/server/emit/plan.ts';
import type { InstalledPlugin } from '../../src/server/host/plugin-host/plugin.ts';

type Module = Record<string, unknown>;

/** Loads the server half of a generated plugin from its text. Apart from imports and exports, which are replaced, the files are plain JavaScript. */
export function loadEmitted(files: readonly EmittedFile[]): InstalledPlugin & { readonly contract: Module } {
  const known: Record<string, Module> = { '#server': server, '#shared/contract': contract, '#shared/fields': fields, '#shared/menu-entry': menus };
  const load = (ending: string): Module => {
    const text = files.find(({ path }) => path.endsWith(ending))?.text ?? '';
    const body = text
      .replace(/^import \{([^}]+)\} from '([^']+)';$/gm, (_, names: string, from: string) => `const {${names}} = load('${from}');`)
      .replace(/^export const (\w+) =/gm, 'const $1 = module.$1 =')
      .replace(/^export default/gm, 'module.default =');
    const module: Module = {};
    new Function('load', 'module', body)((from: string) => known[from] ?? load(from.replace('..', '')), module);
    return module;
  };
  const migrations = files.filter(({ path }) => path.endsWith('.sql')).map(({ path, text }) => [path.split('/').at(-1) ?? '', text] as const);
  // Plugin and test use the same contract module.
  known['../contract.ts'] = load('/contract.ts');
  return {
    plugin: load('server/plugin.ts').default as InstalledPlugin['plugin'],
    migrations: Object.fromEntries(migrations),
    contract: known['../contract.ts'],
  };
}
