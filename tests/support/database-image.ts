import { MemoryFS } from '@electric-sql/pglite';

/** A file or folder of a prepared database; the path is relative to the data directory. */
interface Entry {
  readonly path: string;
  readonly mode: number;
  /** Content of a file; undefined for a folder. */
  readonly content: Uint8Array | undefined;
}

/** Node of Emscripten's in-memory file system. */
interface Node {
  contents: Uint8Array;
  usedBytes: number;
  isShared?: boolean;
  readonly node_ops: { mknod(parent: Node, name: string, mode: number, device: number): Node };
  stream_ops: { write(stream: { node: Node }, ...rest: unknown[]): number };
}

const directory = '/pglite/data';
const blockBytes = 512;

/** A prepared database in a tar archive, with which any number of engines can start. */
export class DatabaseImage {
  private readonly entries: Entry[];

  constructor(tar: Uint8Array) {
    this.entries = entriesOf(Buffer.from(tar.buffer, tar.byteOffset, tar.byteLength)).map(withSmallBuffers);
  }

  /** Returns the file system of one engine. Files are shared until the engine writes to them, which gives it a copy of its own. */
  files(): MemoryFS {
    return new SharedFiles(this.entries);
  }
}

class SharedFiles extends MemoryFS {
  private copyOnWrite: Node['stream_ops'] | undefined;

  constructor(private readonly entries: readonly Entry[]) {
    super();
  }

  override async initialSyncFs(): Promise<void> {
    const { FS } = (this.pg as unknown as { Module: { FS: { mkdirTree(path: string): void; lookupPath(path: string): { node: Node } } } }).Module;
    FS.mkdirTree(directory);
    const folders = new Map([['', FS.lookupPath(directory).node]]);
    for (const { path, mode, content } of this.entries) {
      const separator = path.lastIndexOf('/');
      const folder = folders.get(path.slice(0, Math.max(separator, 0))) as Node;
      const node = folder.node_ops.mknod(folder, path.slice(separator + 1), mode, 0);
      if (content) this.fill(node, content);
      else folders.set(path, node);
    }
  }

  private fill(node: Node, content: Uint8Array): void {
    node.contents = content;
    node.usedBytes = content.length;
    node.isShared = true;
    this.copyOnWrite ??= withCopyOnWrite(node.stream_ops);
    node.stream_ops = this.copyOnWrite;
  }
}

/** Copies a file before the first write, the only operation that changes its bytes in place. */
function withCopyOnWrite(original: Node['stream_ops']): Node['stream_ops'] {
  return {
    ...original,
    write(stream, ...rest) {
      const { node } = stream;
      if (node.isShared) node.contents = new Uint8Array(node.contents);
      node.isShared = false;
      return original.write(stream, ...rest);
    },
  };
}

/** Reduces the shared buffers: in-memory files need none, and clearing the default 128 MB takes as long as the rest of a start. */
function withSmallBuffers(entry: Entry): Entry {
  if (entry.path !== 'postgresql.auto.conf' || !entry.content) return entry;
  return { ...entry, content: Buffer.concat([entry.content, Buffer.from('\nshared_buffers = 16MB\n')]) };
}

function entriesOf(tar: Buffer): Entry[] {
  const entries: Entry[] = [];
  for (let at = 0; tar[at]; ) {
    const text = (from: number, length: number) => tar.toString('latin1', at + from, at + from + length).replace(/\0.*$/s, '');
    const size = Number.parseInt(text(124, 12), 8) || 0;
    const start = at + blockBytes;
    const path = text(0, 100).replace(/^\/|\/$/g, '');
    const isFolder = text(156, 1) === '5';
    const kind = isFolder ? 0o040000 : 0o100000;
    entries.push({ path, mode: kind | (Number.parseInt(text(100, 8), 8) & 0o7777), content: isFolder ? undefined : tar.subarray(start, start + size) });
    at = start + Math.ceil(size / blockBytes) * blockBytes;
  }
  return entries;
}
