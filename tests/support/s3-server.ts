import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver, { type S3rverContext } from '@20minutes/s3rver';

/**
 * Independent S3 server: the maintained fork of s3rver. It verifies requests and replies as the AWS client makes them: AWS Signature Version 4 of every signed
 * request, multipart uploads, range reads, deletions, buckets, errors in XML. It checks neither the signature nor the conditions of a POST policy, and it accepts
 * unsigned requests. The example that AWS publishes tests the signature of a policy (`post-policy.ts`); no test covers that a store enforces the conditions on a
 * browser.
 */
export interface S3Server {
  readonly endpoint: string;
  readonly bucket: string;
  /** Credentials that it checks signatures with. */
  readonly credentials: { readonly accessKey: string; readonly secretKey: string };
  buckets(): string[];
  /** Returns the keys of the objects in the first bucket. */
  keys(): string[];
  stop(): Promise<void>;
}

const ending = '._S3rver_object';

/**
 * Corrects the signed path of bucket requests. It ends in a slash, which the server omits from the path that it checks unless the bucket is mounted with a host of
 * its own, so bucket requests are treated as such.
 */
function signWithSlash(context: S3rverContext, next: () => Promise<void>): Promise<void> {
  if (/^\/[^/]+\/$/.test(context.path)) {
    context.mountPath = '/';
    Object.defineProperty(context.state, 'vhost', { get: () => true, set: () => undefined });
  }
  return next();
}

/** Starts it on a free port with one bucket. */
export async function openS3Server(): Promise<S3Server> {
  const directory = mkdtempSync(join(tmpdir(), 'marquee-s3-'));
  const bucket = 'marquee';
  const server = new S3rver({ address: '127.0.0.1', port: 0, directory, silent: true, configureBuckets: [{ name: bucket }] });
  server.middleware.unshift(signWithSlash);
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
