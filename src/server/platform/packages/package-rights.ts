import { createdObjects } from '../../data/schema/created-objects.ts';
import type { PackageFile } from './package-file.ts';

/** Rights of a package, found by reading its code rather than the claims of its author, and the ports that a contained plugin asks for. */
export interface PackageRights {
  /** Tables that its migrations create. */
  readonly tables: string[];
  /** Tables of others that its migrations change or refer to. */
  readonly otherTables: string[];
  /** Plugins whose contracts and services it imports. */
  readonly plugins: string[];
  /** Modules of Node.js that it imports, such as `node:fs`. */
  readonly nodeModules: string[];
  /** Services of the kernel that its code names, and globals that reach beyond the server. */
  readonly services: string[];
  /** Origins to which a contained plugin sends requests. */
  readonly origins: string[];
  /** True if a contained plugin delivers notifications to users. */
  readonly inbox: boolean;
}

/** Names whose use shows that a server half reaches more than its own rows. */
const services = ['egress', 'fetch', 'secretKey', 'asPlatform', 'files', 'mail', 'sms', 'process'] as const;

/** Finds what a package can reach. */
export function rightsOf({ migrations, modules, source, id, ports }: PackageFile): PackageRights {
  const texts = Object.values(migrations);
  const { tables } = createdObjects(texts);
  const matches = texts.flatMap((text) => [
    ...text.replace(/--.*$/gm, '').matchAll(/\b(?:references|alter table|update|into|on) (?:only )?(?:public\.)?"?(\w+)"?/gi),
  ]);
  const others = matches.map(([, name = '']) => name.toLowerCase()).filter((name) => !tables.includes(name) && !sqlKeywords.has(name));
  const plugins = modules.flatMap((name) => /^#plugins\/([^/]+)\//.exec(name)?.[1] ?? []);
  const nodeModules = [...source.matchAll(/["'](node:[\w/]+)["']/g)].map(([, name = '']) => name);
  return {
    tables: [...tables],
    otherTables: unique(others),
    plugins: unique(plugins.filter((plugin) => plugin !== id)),
    nodeModules: unique(nodeModules),
    services: services.filter((name) => new RegExp(`\\b${name}\\b`).test(source)),
    origins: [...(ports.egress ?? [])],
    inbox: ports.inbox === true,
  };
}

/** Keywords that can follow the matched ones where no table does, such as `on conflict`. */
const sqlKeywords: ReadonlySet<string> = new Set(['conflict', 'delete', 'update', 'set', 'true', 'if', 'each', 'all', 'commit']);

const unique = (names: readonly string[]) => [...new Set(names)].sort();
