import type { KeyObject } from 'node:crypto';
import { TaskQueue } from '#shared/task-queue';
import type { LocalizedText } from '#shared/text';
import type { UnsignedPlugins } from '../../base/configuration/plugin-keys.ts';
import type { Log } from '../../base/log.ts';
import { type Migration, migrationsOf } from '../../data/index.ts';
import type { SystemLog } from '../../platform/audit/system-log.ts';
import { PackageError, type PackageFile, readPackage, signerOf } from '../../platform/packages/package-file.ts';
import { rightsOf } from '../../platform/packages/package-rights.ts';
import type { PackageStore, StoredInstallation } from '../../platform/packages/package-store.ts';
import {
  type DeliveredConsole,
  type InstalledPackage,
  type PackageData,
  PluginPackages,
  type UploadedPackage,
} from '../../platform/packages/plugin-packages.ts';
import { type Containment, containPlugin } from '../contained/contained-plugin.ts';
import type { InstalledPlugin } from '../plugin-host/plugin.ts';
import { loadPackage } from './load-package.ts';

/** A package whose server half, if it has one, is loaded. */
interface LoadedPackage {
  readonly file: PackageFile;
  readonly entry: InstalledPlugin | undefined;
}

/** Plugins and console halves of packages that a server shall run. */
export interface PackageSet {
  readonly entries: readonly InstalledPlugin[];
  readonly consoles: readonly DeliveredConsole[];
  /** True to serve the others even if some do not run; otherwise the calls stay as they are, because the set before is restored. */
  readonly isFinal: boolean;
}

/** Changes the plugins of the running server and the console halves that it delivers. Resolves to the reasons, by id, why plugins that are new or ran before do not run. */
export type ChangePlugins = (packages: PackageSet) => Promise<ReadonlyMap<string, LocalizedText>>;

/** Ids under which the kernel itself migrates tables and logs. */
const reservedIds: ReadonlySet<string> = new Set(['kernel', 'server']);

/** Dependencies of `InstalledPackages`. */
export interface InstalledPackagesDeps {
  readonly store: PackageStore;
  readonly keys: ReadonlyMap<string, KeyObject>;
  readonly unsigned: UnsignedPlugins;
  readonly containment: Containment;
  /** Plugins of the build. */
  readonly built: readonly InstalledPlugin[];
  readonly log: Pick<Log, 'error'>;
  /** Log in which administrators find each change. */
  readonly systemLog: Pick<SystemLog, 'log'>;
}

/** Packages that this server runs, which follow those in the database. */
export class InstalledPackages extends PluginPackages {
  override readonly accepted: PluginPackages['accepted'];
  private loaded: ReadonlyMap<string, LoadedPackage> = new Map();
  /** Installations that this server has followed, so that packages it cannot run are not tried again before the next change. */
  private followed = '';
  private readonly queue = new TaskQueue();
  private changePlugins: ChangePlugins | undefined;

  constructor(private readonly deps: InstalledPackagesDeps) {
    super();
    const { unsigned, keys, store } = deps;
    this.accepted = unsigned !== 'off' ? 'any' : keys.size > 0 ? 'signed' : 'none';
    store.onChanged(() => void this.follow());
  }

  /** Loads the installed packages at the start of the server. One that cannot be loaded is left out and reported. */
  async load(): Promise<readonly InstalledPlugin[]> {
    const installations = await this.deps.store.installations();
    this.followed = keyOf(installations);
    this.loaded = await this.loadAll(installations);
    return entriesOf(this.loaded);
  }

  /** Sets the function that changes the plugins of the server, once the server has started. */
  setChange(changePlugins: ChangePlugins): void {
    this.changePlugins = changePlugins;
  }

  /** Console halves of the installed packages. */
  consoles(): DeliveredConsole[] {
    return consolesOf(this.loaded);
  }

  /** Takes over the packages that other servers have installed or removed. Packages that do not start here are reported and tried again with the next change. */
  follow(): Promise<void> {
    return this.queue.run(async () => {
      if (!this.changePlugins) return;
      try {
        const installations = await this.deps.store.installations();
        if (keyOf(installations) === this.followed) return;
        this.followed = keyOf(installations);
        const isSame = installations.length === this.loaded.size && installations.every(({ id, digest }) => this.loaded.get(id)?.file.digest === digest);
        if (isSame) return;
        const failures = await this.apply(await this.loadAll(installations), true);
        for (const [plugin, [, reason]] of failures)
          this.deps.log.error({ plugin }, `plugin "${plugin}" does not run with the packages of the deployment: ${reason}`);
      } catch (error) {
        this.deps.log.error({ err: error }, 'could not take over the packages that another server has changed');
      }
    });
  }

  override async list(): Promise<readonly InstalledPackage[]> {
    const installations = await this.deps.store.installations();
    return installations.flatMap(({ id, signer, previousVersion }) => {
      const file = this.loaded.get(id)?.file;
      if (!file) return [];
      const { version, description, author, changes = [] } = file;
      return [
        {
          id,
          version,
          description,
          author,
          changes,
          isContained: this.isContained(file),
          ...(signer ? { signer } : {}),
          ...(previousVersion ? { previousVersion } : {}),
        },
      ];
    });
  }

  override async upload(archive: Buffer): Promise<UploadedPackage> {
    const file = await readPackage(archive);
    const signer = this.assertAccepted(file);
    await this.deps.store.add(file, archive, signer);
    const { digest, id, version, name, description, author, changes = [], server: hasServer } = file;
    const installedVersion = this.loaded.get(id)?.file.version;
    return {
      ...{ digest, id, version, name, description, author, changes, hasServer },
      ...(signer === undefined ? {} : { signer }),
      ...(installedVersion === undefined ? {} : { installedVersion }),
      hasConsole: file.console !== undefined,
      isContained: this.isContained(file),
      rights: rightsOf(file),
    };
  }

  override install(digest: string): Promise<void> {
    return this.queue.run(async () => {
      const file = await this.read(digest);
      this.assertAccepted(file);
      const entry = await this.loadEntry(file);
      if (entry) await this.deps.store.keepMigrations(migrationsOf([entry]).filter(({ plugin }) => plugin === file.id));
      const before = this.loaded.get(file.id)?.file.version;
      await this.exchange(new Map(this.loaded).set(file.id, { file, entry }), () => this.deps.store.install(file.id, digest)).catch((error) => {
        entry?.process?.stop();
        throw error;
      });
      this.logChange('installed', { plugin: file.id, version: file.version, before });
    });
  }

  override async revert(id: string): Promise<void> {
    const installation = (await this.deps.store.installations()).find((one) => one.id === id);
    if (!installation?.previousDigest) throw errors.noVersionBefore();
    await this.install(installation.previousDigest);
  }

  override async dataOf(id: string): Promise<PackageData> {
    if (!this.loaded.has(id)) throw errors.notInstalled();
    const { rows, holders } = await this.deps.store.planRemoval(id, this.migrations());
    return {
      tables: [...rows].map(([name, count]) => ({ name, rows: count })),
      holders: holders.map(({ table, target }) => ({ table, target })),
    };
  }

  override remove(id: string, withData: boolean): Promise<void> {
    return this.queue.run(async () => {
      const remaining = new Map(this.loaded);
      if (!remaining.delete(id)) throw errors.notInstalled();
      const plan = withData ? await this.deps.store.planRemoval(id, this.migrations()) : undefined;
      const [holder] = plan?.holders ?? [];
      if (holder) throw errors.held(holder.table, holder.target);
      await this.exchange(remaining, () => this.deps.store.remove(id, plan));
      this.logChange('removed', { plugin: id, withData });
    });
  }

  private logChange(event: string, data: Readonly<Record<string, unknown>>): void {
    this.deps.systemLog.log({ level: 'warn', event: `plugins:${event}`, data });
  }

  /** Migrations of all plugins. */
  private migrations(): Migration[] {
    return migrationsOf([...this.deps.built, ...entriesOf(this.loaded)]);
  }

  /** Changes the packages of this server and stores the change; if a plugin then does not run, or nothing can be stored, the packages before are restored. */
  private async exchange(next: ReadonlyMap<string, LoadedPackage>, store: () => Promise<void>): Promise<void> {
    const before = this.loaded;
    const [failure] = await this.apply(next, false).catch((error: Error) => {
      this.deps.log.error({ err: error }, 'the plugins could not be changed');
      return new Map<string, LocalizedText>([['', [error.message, error.message]]]);
    });
    try {
      if (failure) throw errors.notStarted(...failure);
      await store();
    } catch (error) {
      await this.apply(before, true);
      throw error;
    }
  }

  private async apply(next: ReadonlyMap<string, LoadedPackage>, isFinal: boolean): Promise<ReadonlyMap<string, LocalizedText>> {
    const failures = (await this.changePlugins?.({ entries: entriesOf(next), consoles: consolesOf(next), isFinal })) ?? new Map();
    this.loaded = next;
    return failures;
  }

  private async loadAll(installations: readonly StoredInstallation[]): Promise<ReadonlyMap<string, LoadedPackage>> {
    const loaded = new Map<string, LoadedPackage>();
    for (const { id, digest } of installations) {
      try {
        const before = this.loaded.get(id);
        if (before?.file.digest === digest) loaded.set(id, before);
        else {
          const file = await this.read(digest);
          this.assertAccepted(file);
          loaded.set(id, { file, entry: await this.loadEntry(file) });
        }
      } catch (error) {
        this.deps.log.error({ err: error, plugin: id }, `the package of plugin "${id}" was left out`);
      }
    }
    return loaded;
  }

  /** Loads the server half of a package: inside this server, or contained without a trusted signature. */
  private async loadEntry(file: PackageFile): Promise<InstalledPlugin | undefined> {
    if (!this.isContained(file)) return loadPackage(file);
    return file.server ? containPlugin(file, this.deps.containment) : undefined;
  }

  private isContained(file: PackageFile): boolean {
    return this.deps.unsigned === 'contained' && signerOf(file, this.deps.keys) === undefined;
  }

  private async read(digest: string): Promise<PackageFile> {
    const archive = await this.deps.store.archive(digest);
    if (!archive) throw errors.unknown();
    const file = await readPackage(archive);
    if (file.digest !== digest) throw errors.unknown();
    return file;
  }

  /** Returns the signer of a package; throws for one that this deployment does not accept. */
  private assertAccepted(file: PackageFile): string | undefined {
    if (this.accepted === 'none') throw errors.notAccepted();
    const signer = signerOf(file, this.deps.keys);
    if (signer === undefined && this.accepted === 'signed') throw errors.unsigned();
    if (reservedIds.has(file.id) || this.deps.built.some(({ plugin }) => plugin.id === file.id)) throw errors.builtIn(file.id);
    return signer;
  }
}

const keyOf = (installations: readonly StoredInstallation[]) => installations.map(({ id, digest }) => `${id}@${digest}`).join(' ');

const entriesOf = (packages: ReadonlyMap<string, LoadedPackage>): InstalledPlugin[] => [...packages.values()].flatMap(({ entry }) => entry ?? []);

const consolesOf = (packages: ReadonlyMap<string, LoadedPackage>): DeliveredConsole[] =>
  [...packages.values()].flatMap(({ file: { id, digest, console: integrity, consoleFiles: files } }) =>
    integrity === undefined ? [] : [{ id, digest, integrity, files }],
  );

const errors = {
  notAccepted: () =>
    new PackageError([
      '本系统不接受插件包：请在服务器设置 PLUGIN_KEYS（签名公钥），或 UNSIGNED_PLUGINS',
      'This deployment accepts no packages. Set PLUGIN_KEYS on the servers, or UNSIGNED_PLUGINS.',
    ]),
  unsigned: () =>
    new PackageError(['插件包没有签名，本系统只接受已签名的插件包', 'The package is not signed, and this deployment accepts signed packages only.']),
  builtIn: (id: string) =>
    new PackageError([`「${id}」已包含在本系统的构建中，不能由插件包替换`, `“${id}” is part of the build of this deployment, so a package cannot replace it.`]),
  unknown: () => new PackageError(['插件包已不存在，请重新上传', 'The package no longer exists. Upload it again.']),
  held: (table: string, target: string) =>
    new PackageError([`数据表 ${target} 仍被 ${table} 引用，不能删除`, `The table ${target} cannot be dropped, because ${table} refers to it.`]),
  notInstalled: () => new PackageError(['该插件不是由插件包安装的', 'The plugin was not installed from a package.']),
  noVersionBefore: () => new PackageError(['没有可恢复的上一版本', 'There is no version before it.']),
  notStarted: (id: string, [zh, en]: LocalizedText) =>
    new PackageError([`插件「${id}」将无法运行，已恢复原状：${zh}`, `The plugin “${id}” would not run, so nothing was changed: ${en}`]),
};
