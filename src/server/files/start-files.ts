import { join } from 'node:path';
import type { Database } from '../db/database.ts';
import type { Parameters } from '../parameters.ts';
import { megabyte } from './counted.ts';
import { DirectUploads } from './direct-uploads.ts';
import { DiskStore } from './disk-store.ts';
import { FileRows } from './file-rows.ts';
import { Files } from './files.ts';
import { PartedFiles } from './parted-files.ts';
import type { Signatures } from './signatures.ts';
import { Stores } from './stores.ts';
import { Thumbnails } from './thumbnails.ts';

/** Everything that keeps files. */
export interface FileServices {
  readonly files: Files;
  readonly parted: PartedFiles;
  readonly direct: DirectUploads;
  readonly thumbnails: Thumbnails;
}

/** Where this server takes files that are sent to a signed address. */
export const directPath = '/api/file/direct';

/** Keeps files in a folder of this machine, unless their tenants choose another store. */
export function startFiles({
  db,
  signatures,
  parameters,
  directory,
}: {
  db: Database;
  signatures: Signatures;
  parameters: Parameters;
  directory: string;
}): FileServices {
  const stores = new Stores();
  stores.keepIn('disk', new DiskStore(join(directory, 'files')));
  const rows = new FileRows(db, (tenantId) => quotaOf(parameters, tenantId));
  const files = new Files(rows, signatures, stores);
  return {
    files,
    parted: new PartedFiles(db, rows, stores),
    direct: new DirectUploads(rows, files, signatures, directPath),
    thumbnails: new Thumbnails(db, stores),
  };
}

/** A tenant's own parameter goes before the one of all tenants; 0 is no limit. */
async function quotaOf(parameters: Parameters, tenantId: string): Promise<number> {
  const usual = await parameters.whole('file.tenantMegabytes', 0);
  const megabytes = await parameters.whole(`file.tenantMegabytes.${tenantId}`, usual);
  return megabytes > 0 ? megabytes * megabyte : Number.POSITIVE_INFINITY;
}
