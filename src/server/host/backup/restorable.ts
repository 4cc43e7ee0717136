import semver from 'semver';
import { kernelVersion } from '#shared/kernel-version';
import type { SecretKeys } from '../../base/configuration/secret-key.ts';
import { type Migration, migrationsOf } from '../../data/index.ts';
import { kernelMigrations } from '../kernel-migrations.ts';
import type { InstalledPlugin } from '../plugin-host/plugin.ts';
import { orderPlugins } from '../plugin-host/plugin-order.ts';
import { type ArchiveManifest, archiveFormat } from './archive.ts';

/** Tables of an archive as this build creates them. */
export interface ArchivedSchema {
  /** Migrations of the archive; later ones of this build follow at the next start. */
  readonly migrations: readonly Migration[];
  /** Plugins of the archive that this build does not have. */
  readonly missingPlugins: readonly string[];
  /** True to leave out tables that this build does not create. */
  readonly leavesOutUnknown: boolean;
}

/** Throws for an archive of another format or a later version. */
export function assertVersion({ format, version }: ArchiveManifest): void {
  if (format > archiveFormat || semver.satisfies(version, `>${kernelVersion}`))
    throw new Error(`The archive was made by version ${version}, which is newer than this one (${kernelVersion}). Restore it with that version.`);
}

/** Throws if the deployment lacks a key that secrets in the archive may be encrypted with. */
export function assertKeys({ keyFingerprint, fallbackFingerprints = [] }: ArchiveManifest, { fingerprints }: Pick<SecretKeys, 'fingerprints'>): void {
  if (!fingerprints.includes(keyFingerprint))
    throw new Error(
      `The archive belongs to another SECRET_KEY: its key has the fingerprint ${keyFingerprint}, the key given has ${fingerprints[0]}. ` +
        'Set SECRET_KEY, or copy secret.key into DATA_DIR, from the deployment that was backed up.',
    );
  const missing = fallbackFingerprints.find((fingerprint) => !fingerprints.includes(fingerprint));
  if (missing !== undefined)
    throw new Error(`The deployment that was backed up also had a key with the fingerprint ${missing}. Name it in SECRET_KEY_FALLBACKS as well.`);
}

/** Selects the migrations of an archive; throws if this build lacks some, because it is older, was changed or has fewer plugins. */
export function schemaOf(manifest: ArchiveManifest, installed: readonly InstalledPlugin[], leavesOutUnknown: boolean): ArchivedSchema {
  const { ordered } = orderPlugins(installed.map(({ plugin }) => plugin));
  // A plugin that cannot run may have tables from an earlier build, which come last.
  const rankOf = ({ plugin }: InstalledPlugin) => (ordered.includes(plugin) ? ordered.indexOf(plugin) : ordered.length);
  const inOrder = [...installed].sort((one, other) => rankOf(one) - rankOf(other));
  const built = migrationsOf(inOrder, kernelMigrations);
  const own = [...built, ...packagedMigrations(manifest, new Set(['kernel', ...installed.map(({ plugin }) => plugin.id)]))];
  const hashes = new Map(own.map(({ plugin, name, hash }) => [`${plugin}/${name}`, hash]));
  const plugins = new Set(['kernel', ...own.map(({ plugin }) => plugin), ...installed.map(({ plugin }) => plugin.id)]);
  const missingPlugins = [...new Set(manifest.migrations.map(({ plugin }) => plugin).filter((plugin) => !plugins.has(plugin)))];
  if (missingPlugins.length > 0 && !leavesOutUnknown)
    throw new Error(
      `This build does not have these plugins of the archive: ${missingPlugins.join(', ')}. Restore it with a build that has them, or leave their tables out with --leave-out-unknown.`,
    );
  for (const { plugin, name, hash } of manifest.migrations) {
    if (!plugins.has(plugin)) continue;
    const found = hashes.get(`${plugin}/${name}`);
    if (found === undefined)
      throw new Error(`The archive was made by a newer version: this build does not have its migration ${plugin}/${name}. Restore it with that version.`);
    if (found !== hash)
      throw new Error(`The migration ${plugin}/${name} of this build is not the one of the archive. Restore it with the version that made it.`);
  }
  const archived = new Set(manifest.migrations.map(({ plugin, name }) => `${plugin}/${name}`));
  return { migrations: own.filter(({ plugin, name }) => archived.has(`${plugin}/${name}`)), missingPlugins, leavesOutUnknown };
}

/** Returns the migrations of packages, which the archive contains with their texts, without those of plugins of the build. */
function packagedMigrations({ migrations }: ArchiveManifest, built: ReadonlySet<string>): Migration[] {
  const packaged = migrations.filter(({ plugin, text }) => text !== undefined && !built.has(plugin));
  const installed = packaged.map(({ plugin: id, name, text = '' }) => ({ plugin: { id }, migrations: { [name]: text } }));
  return migrationsOf(installed).filter(({ plugin }) => !built.has(plugin));
}
