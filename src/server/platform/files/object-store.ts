import type { Readable } from 'node:stream';

/** A byte range, both ends included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A multipart upload. */
export interface MultipartUpload {
  readonly key: string;
  /** The store's id of the upload. */
  readonly name: string;
}

/** An uploaded part. */
export interface Part {
  /** Part number, from 1. */
  readonly number: number;
  /** The store's tag for its content. */
  readonly tag: string;
}

/** Address to which a browser may upload one object, with the required fields. */
export interface SignedPost {
  readonly url: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** Size of all parts but the last, in bytes: the minimum that object stores accept. */
export const partBytes = 5 * 1024 * 1024;

/** Storage for file content, under keys that only the server creates. */
export abstract class ObjectStore {
  /** Stores all of `content`; a failure leaves nothing under the key. */
  abstract put(key: string, content: Readable): Promise<void>;
  /** Throws `notFound` if there is nothing under the key. */
  abstract open(key: string, part?: ByteRange): Promise<Readable>;
  /** Returns the size in bytes; undefined if there is nothing under the key. */
  abstract size(key: string): Promise<number | undefined>;
  /** Removes an object; a missing one is no error. */
  abstract remove(key: string): Promise<void>;
  /** Creates a multipart upload and returns its id. */
  abstract createUpload(key: string): Promise<string>;
  /** Stores one part, replacing an earlier one of the same number, and returns its tag. */
  abstract putPart(upload: MultipartUpload, number: number, content: Uint8Array): Promise<string>;
  /** Joins the parts into one object. */
  abstract completeUpload(upload: MultipartUpload, parts: readonly Part[]): Promise<void>;
  /** Discards the parts of an upload that is not completed. */
  abstract abortUpload(upload: MultipartUpload): Promise<void>;
  /** Signs an address that accepts one object of this type and maximum size for some seconds; undefined if the store has no address of its own. */
  abstract signedPost(key: string, bounds: { readonly type: string; readonly maxBytes: number; readonly seconds: number }): Promise<SignedPost | undefined>;
}
