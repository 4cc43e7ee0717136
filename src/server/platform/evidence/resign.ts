import { sql } from 'drizzle-orm';
import type { Database } from '../../data/database/database.ts';
import { headText, type SealKeys, sealHash } from './seal.ts';
import { SealStore } from './seal-store.ts';

const sealsAtOnce = 200;

/** Result of signing seals again. */
export interface ResignReport {
  readonly resigned: number;
  /** Seals and heads that no key of the deployment has signed, or that were changed. */
  readonly unsigned: number;
}

/** Signs seals and heads with the current key that were signed with another one of the deployment; hashes stay, so that chains and received seals do. */
export async function resignSeals(db: Database, keys: SealKeys): Promise<ResignReport> {
  const store = new SealStore(db, keys);
  const acrossTenants = <Result>(work: () => Promise<Result>) => db.asPlatform('signs the seals of all tenants with the current key', work);
  let [resigned, unsigned] = [0, 0];
  for (const { tenant, source } of await acrossTenants(() => store.heads()))
    await acrossTenants(async () => {
      await store.lock();
      const head = await store.headOf(tenant, source);
      if (!head || head.keyId === keys.currentId) return;
      if (!keys.verify(headText(head), head)) unsigned += 1;
      else {
        await store.saveHead(head);
        resigned += 1;
      }
    });
  for (let position: string | undefined = '0'; position !== undefined; )
    position = await acrossTenants(async () => {
      const seals = await store.sealsAfter(position ?? '0', sealsAtOnce);
      for (const seal of seals) {
        if (seal.keyId === keys.currentId) continue;
        if (sealHash(seal) !== seal.hash || !keys.verify(seal.hash, seal)) unsigned += 1;
        else {
          const { keyId, mac } = keys.sign(seal.hash);
          await db.sql.execute(sql`update evidence_seal set key_id = ${keyId}, mac = ${mac} where position = ${seal.position}::bigint and hash = ${seal.hash}`);
          resigned += 1;
        }
      }
      return seals.at(-1)?.position;
    });
  return { resigned, unsigned };
}
