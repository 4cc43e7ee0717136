import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver, { type S3rverContext } from '@20minutes/s3rver';

/**
 * An S3 server that others wrote: the maintained fork of s3rver. It proves requests and replies as the AWS client makes them: AWS Signature
 * Version 4 of every signed request, multipart uploads, reads of a range, deletions, buckets, errors in XML. It checks neither the
 * signature nor the conditions of a POST policy, and it takes requests without any signature. The signature of a policy is proven by the
 * example AWS publishes (`post-policy.ts`); that a store holds a browser to the conditions is not proven here.
 */
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

/**
 * A request for a bucket ends in a slash, which belongs to the path that is signed. The server leaves it out of the path it checks, except
 * of a mounted bucket with a host of its own, so such requests are taken for one.
 */
function signWithSlash(context: S3rverContext, next: () => Promise<void>): Promise<void> {
  if (/^\/[^/]+\/$/.test(context.path)) {
    context.mountPath = '/';
    Object.defineProperty(context.state, 'vhost', { get: () => true, set: () => undefined });
  }
  return next();
}

/** Runs it on a free port with one bucket. */
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
