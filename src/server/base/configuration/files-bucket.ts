import type { EnvironmentReader } from './configuration.ts';

/** Bucket of an S3-compatible service in which the deployment stores files. */
export interface FilesBucketConfiguration {
  readonly bucket: string;
  /** Address of the service, without the bucket. */
  readonly endpoint: string;
  /** Address of the service for browsers that upload directly. */
  readonly publicEndpoint: string | undefined;
  /** Undefined takes the region in the address. */
  readonly region: string | undefined;
  readonly accessKey: string;
  readonly secretKey: string;
}

const required = ['FILES_ENDPOINT', 'FILES_ACCESS_KEY', 'FILES_SECRET_KEY'] as const;

/** Reads and checks the settings of the bucket; undefined stores files in the data directory. */
export function readFilesBucket(read: EnvironmentReader): FilesBucketConfiguration | undefined {
  const bucket = read.text('FILES_BUCKET');
  const endpoint = addressOf(read, 'FILES_ENDPOINT');
  const publicEndpoint = addressOf(read, 'FILES_PUBLIC_ENDPOINT');
  const [accessKey, secretKey, region] = [read.text('FILES_ACCESS_KEY'), read.text('FILES_SECRET_KEY'), read.text('FILES_REGION')];
  if (bucket === undefined) {
    if (endpoint ?? accessKey ?? secretKey) read.problems.push('FILES_BUCKET is missing. The other settings of FILES_… describe its service.');
    return undefined;
  }
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) read.problems.push(`FILES_BUCKET is "${bucket}", which is not the name of a bucket.`);
  for (const name of required) if (read.text(name) === undefined) read.problems.push(`${name} is missing. FILES_BUCKET requires it.`);
  return { bucket, endpoint: endpoint ?? '', publicEndpoint, region, accessKey: accessKey ?? '', secretKey: secretKey ?? '' };
}

function addressOf(read: EnvironmentReader, name: string): string | undefined {
  const address = read.url(name, ['https:', 'http:']);
  if (address === undefined || !URL.canParse(address)) return address;
  const { pathname, search, hash, username, password } = new URL(address);
  if (pathname !== '/' || search + hash + username + password !== '')
    read.problems.push(`${name} has more than scheme, host and port. Write the bucket in FILES_BUCKET and the keys in FILES_ACCESS_KEY and FILES_SECRET_KEY.`);
  return address;
}
