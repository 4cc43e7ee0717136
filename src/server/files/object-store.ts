import type { Readable } from 'node:stream';

/** Bytes from one to another, both included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** An upload in parts. */
export interface PartedUpload {
  readonly key: string;
  /** What the store calls it. */
  readonly name: string;
}

/** A part that has arrived. */
export interface Part {
  /** From 1. */
  readonly number: number;
  /** What the store calls its content. */
  readonly tag: string;
}

/** Where a browser may send one object, and what it must send with it. */
export interface SignedPost {
  readonly url: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** All parts of an upload but the last have this size, in bytes: the least that object stores take. */
export const partBytes = 5 * 1024 * 1024;

/** Where the content of files is kept, under keys that only the server makes. */
export abstract class ObjectStore {
  /** Keeps all of `content`; when that fails nothing is left under the key. */
  abstract put(key: string, content: Readable): Promise<void>;
  /** Throws `notFound` where there is nothing under the key. */
  abstract open(key: string, part?: ByteRange): Promise<Readable>;
  /** In bytes; nothing where there is nothing under the key. */
  abstract size(key: string): Promise<number | undefined>;
  /** Nothing under the key is no failure. */
  abstract remove(key: string): Promise<void>;
  /** Begins an upload in parts and answers its name. */
  abstract begin(key: string): Promise<string>;
  /** Keeps one part, in place of an earlier one of the same number, and answers its tag. */
  abstract putPart(upload: PartedUpload, number: number, content: Uint8Array): Promise<string>;
  /** From now on the parts are one object. */
  abstract join(upload: PartedUpload, parts: readonly Part[]): Promise<void>;
  /** Forgets what has arrived of an upload that will not be joined. */
  abstract abandon(upload: PartedUpload): Promise<void>;
  /** An address that takes one object of this type and at most so many bytes, for some seconds; nothing where the store has no address of its own. */
  abstract signedPost(key: string, bounds: { readonly type: string; readonly most: number; readonly seconds: number }): Promise<SignedPost | undefined>;
}
