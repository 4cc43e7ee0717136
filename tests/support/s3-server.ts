import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';

/** A store of somebody else's making that speaks the S3 protocol. */
export interface S3Server {
  readonly endpoint: string;
  readonly bucket: string;
  /** What it checks signatures with. */
  readonly credentials: { readonly accessKey: string; readonly secretKey: string };
  buckets(): string[];
  /** Keys of the objects it keeps in the first bucket. */
  keys(): string[];
  stop(): Promise<void>;
}

const ending = '._S3rver_object';

/** Runs it on a free port with one bucket. */
export async function openS3Server(): Promise<S3Server> {
  const directory = mkdtempSync(join(tmpdir(), 'marquee-s3-'));
  const bucket = 'marquee';
  const server = new S3rver({ address: '127.0.0.1', port: 0, directory, silent: true, configureBuckets: [{ name: bucket }] });
  const { port } = await server.run();
  return {
    endpoint: `http://127.0.0.1:${port}`,
    bucket,
    credentials: { accessKey: 'S3RVER', secretKey: 'S3RVER' },
    buckets: () => readdirSync(directory),
    keys: () =>
      readdirSync(join(directory, bucket), { recursive: true })
        .map(String)
        .filter((path) => path.endsWith(ending))
        .map((path) => path.slice(0, -ending.length)),
    async stop() {
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
