import { join } from 'node:path';
import { tenantMegabytes } from '#shared/kernel-parameters';
import type { Parameters } from '../../base/parameters.ts';
import type { Database } from '../../data/database/database.ts';
import { megabyte } from './byte-limit.ts';
import { DirectUploads, MultipartUploads } from './direct-uploads.ts';
import { DiskStore } from './disk-store.ts';
import { FileRows } from './file-rows.ts';
import { Files } from './files.ts';
import type { Signatures } from './signatures.ts';
import { Stores } from './stores.ts';
import { Thumbnails } from './thumbnails.ts';

/** The services for files. */
export interface FileServices {
  readonly files: Files;
  readonly parted: MultipartUploads;
  readonly direct: DirectUploads;
  readonly thumbnails: Thumbnails;
}

/** Path at which this server receives files for its signed addresses. */
export const directPath = '/api/file/direct';

/** Assembles the file services. Files are stored in a folder of this machine unless their tenants select another store. */
export function startFiles(deps: { db: Database; signatures: Signatures; parameters: Parameters; directory: string; basePath?: string }): FileServices {
  const { db, signatures, parameters, directory, basePath = '' } = deps;
  const stores = new Stores();
  stores.setDefault('disk', new DiskStore(join(directory, 'files')));
  const rows = new FileRows(db, (tenantId) => quotaOf(parameters, tenantId));
  const files = new Files(rows, signatures, stores);
  return {
    files,
    parted: new MultipartUploads(db, rows, stores),
    direct: new DirectUploads(rows, files, signatures, basePath + directPath),
    thumbnails: new Thumbnails(db, stores),
  };
}

/** Returns the quota in bytes: the tenant's own parameter takes precedence over the global one; 0 is unlimited. */
async function quotaOf(parameters: Parameters, tenantId: string): Promise<number> {
  const megabytes = await parameters.integer(tenantMegabytes, tenantId);
  return megabytes > 0 ? megabytes * megabyte : Number.POSITIVE_INFINITY;
}
