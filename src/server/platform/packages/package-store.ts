import { type SQL, sql } from 'drizzle-orm';
import { currentActor } from '../../data/context/actor.ts';
import type { Database } from '../../data/database/database.ts';
import { queryRows } from '../../data/database/rows.ts';
import type { Migration } from '../../data/schema/migrate.ts';
import { dropObjects, planReset, type ResetPlan, tableReferences } from '../../data/schema/reset-migrations.ts';
import type { PackageFile } from './package-file.ts';

/** The package that a plugin runs with, and the one before it. */
export interface StoredInstallation {
  readonly id: string;
  readonly digest: string;
  readonly previousDigest: string | null;
  readonly previousVersion: string | null;
  readonly signer: string | null;
}

const reason = 'packages of plugins belong to the deployment';
const changedTopic = 'plugin-packages-changed';

/** Packages and installations in the database, which all servers share. */
export class PackageStore {
  constructor(private readonly db: Database) {}

  /** Calls the listener after each change of the installations, on every server. */
  onChanged(listener: () => void): () => void {
    return this.db.onSignal(changedTopic, listener);
  }

  /** Stores a package. Packages that no plugin uses are deleted a day after their upload. */
  add({ digest, id, version }: PackageFile, archive: Buffer, signer: string | undefined): Promise<void> {
    return this.db.asPlatform(reason, async () => {
      await this.db.sql.execute(sql`
        delete from plugin_package p where create_time < now() - interval '1 day'
          and not exists (select from plugin_installation i where p.digest in (i.digest, i.previous_digest))`);
      await this.db.sql.execute(sql`
        insert into plugin_package (digest, plugin_id, version, archive, signer, create_user)
        values (${digest}, ${id}, ${version}, decode(${archive.toString('base64')}, 'base64'), ${signer ?? null}, ${currentActor()?.userId ?? null})
        on conflict (digest) do update set signer = excluded.signer, create_time = now()`);
    });
  }

  /** Returns the bytes of a package; undefined for an unknown digest. */
  archive(digest: string): Promise<Buffer | undefined> {
    return this.db.asPlatform(reason, async () => {
      const [row] = await queryRows<{ archive: string }>(
        this.db,
        sql`select encode(archive, 'base64') as archive from plugin_package where digest = ${digest}`,
      );
      return row && Buffer.from(row.archive, 'base64');
    });
  }

  installations(): Promise<StoredInstallation[]> {
    return this.db.asPlatform(reason, () =>
      queryRows<StoredInstallation>(
        this.db,
        sql`select i.plugin_id as id, i.digest, i.previous_digest as "previousDigest", b.version as "previousVersion", p.signer
            from plugin_installation i join plugin_package p on p.digest = i.digest left join plugin_package b on b.digest = i.previous_digest order by i.plugin_id`,
      ),
    );
  }

  /** Makes a package the one that its plugin runs with; the one before it becomes the previous one. */
  install(id: string, digest: string): Promise<void> {
    return this.change(sql`
      insert into plugin_installation (plugin_id, digest, update_user) values (${id}, ${digest}, ${currentActor()?.userId ?? null})
      on conflict (plugin_id) do update set previous_digest = plugin_installation.digest, digest = excluded.digest,
        update_user = excluded.update_user, update_time = now() where plugin_installation.digest <> excluded.digest`);
  }

  /** Keeps the texts of migrations that are about to be applied. */
  keepMigrations(migrations: readonly Migration[]): Promise<void> {
    return this.db.asPlatform(reason, async () => {
      for (const { hash, text } of migrations)
        await this.db.sql.execute(sql`insert into plugin_migration (hash, text) values (${hash}, ${text}) on conflict (hash) do nothing`);
    });
  }

  /** Finds what the migrations of a plugin have created. `migrations` are those of all plugins. */
  async planRemoval(plugin: string, migrations: readonly Migration[]): Promise<ResetPlan> {
    const texts = await this.db.asPlatform(reason, () =>
      queryRows<{ hash: string; text: string }>(
        this.db,
        sql`select k.hash, k.text from plugin_migration k join schema_migration m on m.hash = k.hash where m.plugin = ${plugin}`,
      ),
    );
    const byHash = new Map(texts.map(({ hash, text }) => [hash, text]));
    const references = tableReferences(this.db.entities);
    return planReset(this.db, { plugin, migrations, references, appliedText: (hash) => byHash.get(hash) });
  }

  /** Takes a plugin out; with a plan, its tables are dropped and its pages leave the menu for good. */
  remove(id: string, plan?: ResetPlan): Promise<void> {
    return this.change(sql`delete from plugin_installation where plugin_id = ${id}`, async () => {
      if (!plan) return;
      await dropObjects(this.db, id, plan);
      await this.db.sql.execute(sql`delete from menu where id in (select menu_id from seeded_menu where plugin_id = ${id})`);
      await this.db.sql.execute(sql`delete from seeded_menu where plugin_id = ${id}`);
      await this.db.sql.execute(sql`delete from plugin_switch where plugin_id = ${id}`);
    });
  }

  private change(statement: SQL, more: () => Promise<void> = async () => undefined): Promise<void> {
    return this.db.asPlatform(reason, async () => {
      await this.db.sql.execute(statement);
      await more();
      await this.db.signal(changedTopic, '');
    });
  }
}
