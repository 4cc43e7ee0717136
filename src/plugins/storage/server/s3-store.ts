import { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import { ApiError, type ByteRange, type MultipartUpload, ObjectStore, type Part, partBytes, problems, type SignedPost } from '#server';
import { isAbsent, refusalOf } from './s3-failures.ts';

/** Type of the SDK, which is loaded only when the first store is opened. */
export type S3Sdk = typeof import('@aws-sdk/client-s3');

/** Dependencies of a store. */
export interface S3StoreOptions {
  readonly sdk: S3Sdk;
  readonly client: S3Client;
  /** Client with the public endpoint, which signs links for browsers. */
  readonly publicClient: S3Client;
  readonly bucket: string;
  /** Prefix of all object keys. */
  readonly prefix: string;
}

/** Objects are stored as downloads, so that a browser that opens one directly does not run it as a page. */
const asDownload = { ContentType: 'application/octet-stream', ContentDisposition: 'attachment' } as const;

/** Store in a bucket of any S3-compatible service. */
export class S3Store extends ObjectStore {
  constructor(private readonly deps: S3StoreOptions) {
    super();
  }

  async put(key: string, content: Readable): Promise<void> {
    const { sdk } = this.deps;
    const chunks = inChunks(content, partBytes);
    const first = (await chunks.next()).value ?? new Uint8Array();
    const second = await chunks.next();
    if (second.done) {
      await this.send(new sdk.PutObjectCommand({ ...this.at(key), ...asDownload, Body: first, ContentLength: first.length }));
      return;
    }
    const upload = { key, name: await this.createUpload(key) };
    try {
      const parts: Part[] = [
        { number: 1, tag: await this.putPart(upload, 1, first) },
        { number: 2, tag: await this.putPart(upload, 2, second.value) },
      ];
      for await (const chunk of chunks) {
        const number = parts.length + 1;
        parts.push({ number, tag: await this.putPart(upload, number, chunk) });
      }
      await this.completeUpload(upload, parts);
    } catch (error) {
      await this.abortUpload(upload).catch(() => undefined);
      throw error;
    }
  }

  async open(key: string, part?: ByteRange): Promise<Readable> {
    const range = part && { Range: `bytes=${part.start}-${part.end}` };
    const { Body } = await this.send(new this.deps.sdk.GetObjectCommand({ ...this.at(key), ...range }));
    if (!(Body instanceof Readable)) throw new ApiError(problems.notFound);
    return Body;
  }

  async size(key: string): Promise<number | undefined> {
    try {
      return (await this.deps.client.send(new this.deps.sdk.HeadObjectCommand(this.at(key)))).ContentLength;
    } catch (error) {
      if (isAbsent(error)) return undefined;
      throw refusalOf(error);
    }
  }

  async remove(key: string): Promise<void> {
    await this.send(new this.deps.sdk.DeleteObjectCommand(this.at(key)));
  }

  async createUpload(key: string): Promise<string> {
    const { UploadId = '' } = await this.send(new this.deps.sdk.CreateMultipartUploadCommand({ ...this.at(key), ...asDownload }));
    return UploadId;
  }

  async putPart({ key, name }: MultipartUpload, number: number, content: Uint8Array): Promise<string> {
    const part = { ...this.at(key), UploadId: name, PartNumber: number, Body: content, ContentLength: content.length };
    return (await this.send(new this.deps.sdk.UploadPartCommand(part))).ETag ?? '';
  }

  async completeUpload({ key, name }: MultipartUpload, parts: readonly Part[]): Promise<void> {
    const Parts = parts.map(({ number, tag }) => ({ PartNumber: number, ETag: tag }));
    await this.send(new this.deps.sdk.CompleteMultipartUploadCommand({ ...this.at(key), UploadId: name, MultipartUpload: { Parts } }));
  }

  async abortUpload({ key, name }: MultipartUpload): Promise<void> {
    const abort = new this.deps.sdk.AbortMultipartUploadCommand({ ...this.at(key), UploadId: name });
    await this.deps.client.send(abort).catch((error) => {
      if (!isAbsent(error)) throw refusalOf(error);
    });
  }

  async signedPost(key: string, { type, maxBytes, seconds }: { type: string; maxBytes: number; seconds: number }): Promise<SignedPost> {
    const { createPresignedPost } = await import('@aws-sdk/s3-presigned-post');
    const contentType = type || asDownload.ContentType;
    return createPresignedPost(this.deps.publicClient, {
      ...this.at(key),
      Fields: { 'Content-Type': contentType, 'Content-Disposition': asDownload.ContentDisposition },
      Conditions: [['content-length-range', 1, maxBytes]],
      Expires: seconds,
    });
  }

  /** Creates another bucket of the same account; an existing one is not an error. Throws the error of the service. */
  async createBucket(name: string): Promise<void> {
    const { sdk, client } = this.deps;
    await client.send(new sdk.CreateBucketCommand({ Bucket: name })).catch(async (error: Error) => {
      if (!/^BucketAlready/.test(error.name)) throw error;
      // Some vendors do not tell whether an existing bucket is one's own; a HEAD request does.
      await client.send(new sdk.HeadBucketCommand({ Bucket: name }));
    });
  }

  private at(key: string): { Bucket: string; Key: string } {
    if (!/^[0-9a-f]{32}$/.test(key)) throw new Error('Invalid file key.');
    return { Bucket: this.deps.bucket, Key: `${this.deps.prefix}${key.slice(0, 2)}/${key}` };
  }

  private readonly send = ((command: never) =>
    this.deps.client.send(command).catch((error: unknown) => {
      throw refusalOf(error);
    })) as S3Client['send'];
}

/** Splits content into chunks of one size; the last can be shorter. */
async function* inChunks(content: Readable, bytes: number): AsyncGenerator<Uint8Array<ArrayBuffer>, undefined> {
  let pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of content) {
    pieces.push(piece as Buffer);
    length += (piece as Buffer).length;
    while (length >= bytes) {
      const whole = Buffer.concat(pieces);
      yield whole.subarray(0, bytes);
      pieces = [whole.subarray(bytes)];
      length -= bytes;
    }
  }
  if (length > 0) yield Buffer.concat(pieces);
  return undefined;
}
